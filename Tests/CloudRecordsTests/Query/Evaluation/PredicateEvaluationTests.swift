import CloudRecords
import Foundation
import Testing

private typealias Node = CloudPredicate.Node

/// A record with one field, f; nil makes it null.
func record(_ value: CloudValue?) -> CloudRecord {
    var record = CloudRecord(recordType: "Item", recordID: CloudRecordID("r"))
    record["f"] = value
    return record
}

func matches(_ node: CloudPredicate.Node, _ record: CloudRecord) throws -> Bool {
    try CompiledPredicate(CloudPredicate(node)).matches(record)
}

/// Whether the predicate on f matches a record with this value.
func matches(_ node: CloudPredicate.Node, _ value: CloudValue?) throws -> Bool {
    try matches(node, record(value))
}

/// The comparisons for which the body is true, as a format spells them.
func comparisonsHolding(_ holds: (CloudPredicate.Comparison) throws -> Bool) rethrows -> String {
    let all: [CloudPredicate.Comparison] = [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]
    return try all.filter { comparison in try holds(comparison) }.map(\.rawValue).joined(separator: " ")
}

/// The comparisons that are true between a value of the field and another value.
private func truths(_ own: CloudValue?, _ other: CloudValue?, _ options: TextOptions = []) throws -> String {
    try comparisonsHolding { try matches(.compare(field: "f", $0, other, options), own) }
}

private let smaller = "!= < <="
private let equal = "== <= >="
private let larger = "!= > >="

@Suite struct PredicateEvaluation {
    // MARK: Null

    @Test func `no operator but != and a test for nil matches null, and absent is the same as null`() throws {
        let absent = CloudRecord(recordType: "Item")
        let operators: [Node] = [
            .compare(field: "f", .equal, .int64(0)), .compare(field: "f", .less, .int64(0)),
            .compare(field: "f", .greaterOrEqual, .int64(0)), .between(field: "f", .int64(.min), .int64(.max)),
            .oneOf(field: "f", [.int64(0), .string("")]), .beginsWith(field: "f", ""), .endsWith(field: "f", ""),
            .like(field: "f", "*"), .contains(field: "f", .string("")),
            .near(field: "f", CloudLocation(latitude: 0, longitude: 0), metres: 1e300), .tokens("f"),
        ]
        for node in operators {
            for record in [absent, record(nil)] {
                #expect(try !matches(node, record), "\(node)")
                #expect(try matches(.not(node), record), "NOT \(node)")
            }
        }
        for record in [absent, record(nil)] {
            #expect(try matches(.compare(field: "f", .notEqual, .int64(0)), record))
            #expect(try matches(.compare(field: "f", .equal, nil), record))
            #expect(try !matches(.compare(field: "f", .notEqual, nil), record))
        }
    }

    @Test func `nil matches null alone, not the text null (C065), and has no order`() throws {
        for text in ["null", "", "Zé"] { #expect(try truths(.string(text), nil) == "!=") }
        #expect(try truths(nil, nil) == "==")
        #expect(try truths(nil, .string("null")) == "!=")
    }

    @Test func `nil among several values stands for null (C067)`() throws {
        let node = Node.oneOf(field: "f", [.int64(1), nil])
        #expect(try [.int64(1), .int64(2), nil].map { try matches(node, $0) } == [true, false, true])
        #expect(try [.int64(1), .int64(2), nil].map { try matches(.not(node), $0) } == [false, true, false])
        #expect(try !matches(.oneOf(field: "f", []), nil))
    }

    // MARK: Comparisons

    @Test func `text compares by its UTF-8 bytes`() throws {
        #expect(try truths(.string("é"), .string("é")) == equal)
        #expect(try truths(.string("e\u{301}"), .string("\u{E9}")) == smaller)
        #expect(try truths(.string("\u{E9}"), .string("e\u{301}")) == larger)
        #expect(try truths(.string("Z"), .string("a")) == smaller)
        #expect(try truths(.string("\u{FF5E}"), .string("\u{1F600}")) == smaller)
        #expect(try truths(.string(""), .string("a")) == smaller)
        #expect(try truths(.string("ab"), .string("a")) == larger)
    }

    @Test func `with options both sides are folded (C061)`() throws {
        for (text, lower) in [
            ("Пирог", "пирог"), ("ΔΡΟΜΟΣ", "δρομος"), ("Żółw", "żółw"), ("Ősz", "ősz"), ("ÇAY", "çay"),
        ] {
            #expect(try truths(.string(text), .string(lower), .caseInsensitive) == equal)
            #expect(try truths(.string(lower), .string(text), .caseInsensitive) == equal)
            #expect(try matches(.contains(field: "f", .string(lower), .caseInsensitive), .string("1 \(text)!")))
            #expect(try !matches(.contains(field: "f", .string(lower)), .string("1 \(text)!")))
        }
        #expect(try truths(.string("É"), .string("e"), [.caseInsensitive, .diacriticInsensitive]) == equal)
        #expect(try truths(.string("É"), .string("e"), .caseInsensitive) == larger)
        #expect(try truths(.string("b"), .string("A"), .caseInsensitive) == larger)
    }

    @Test func `an emoji in a search regardless of case finds itself (C063)`() throws {
        func isFound(_ part: String, in text: String) throws -> Bool {
            try matches(.contains(field: "f", .string(part), .caseInsensitive), .string(text))
        }
        #expect(try isFound("PARADE 🎺", in: "parade 🎺 at noon"))
        #expect(try isFound("👨‍👩‍👧", in: "picnic 👨‍👩‍👧 lawn"))
        // Text is its scalars: half a flag is a part of it.
        #expect(try isFound("🇵", in: "flag 🇵🇹"))
    }

    @Test func `integers and doubles compare by their exact values, beyond 2^53 too`() throws {
        let beyond = Int64(1) << 53 + 1
        #expect(try truths(.int64(1), .double(1)) == equal)
        #expect(try truths(.double(1.5), .int64(1)) == larger)
        #expect(try truths(.int64(-1), .double(-1.5)) == larger)
        #expect(try truths(.int64(-2), .double(-1.5)) == smaller)
        #expect(try truths(.int64(0), .double(.leastNonzeroMagnitude)) == smaller)
        #expect(try truths(.double(-0.0), .int64(0)) == equal)
        #expect(try truths(.double(-0.0), .double(0)) == equal)
        #expect(try truths(.int64(beyond), .double(0x1p53)) == larger)
        #expect(try truths(.double(0x1p53), .int64(beyond)) == smaller)
        #expect(try truths(.int64(.max), .double(0x1p63)) == smaller)
        #expect(try truths(.int64(.min), .double(-0x1p63)) == equal)
        #expect(try !matches(.oneOf(field: "f", [.double(0x1p53), .int64(.max)]), .int64(beyond)))
        #expect(try matches(.oneOf(field: "f", [.int64(3), .double(0x1p53)]), .int64(1 << 53)))
    }

    @Test func `dates compare by seconds and data byte by byte`() throws {
        let date = Date(timeIntervalSinceReferenceDate: 700_000_000.123)
        #expect(try truths(.date(date), .date(date)) == equal)
        #expect(try truths(.date(date), .date(date + 1e-6)) == smaller)
        #expect(try truths(.bytes(Data()), .bytes(Data([0]))) == smaller)
        #expect(try truths(.bytes(Data([0x80])), .bytes(Data([0x7F, 1]))) == larger)
        #expect(try truths(.bytes(Data([1, 2, 3])[1...]), .bytes(Data([2, 3]))) == equal)
    }

    @Test func `references are equal when their record IDs are, whatever the action, in lists too`() throws {
        let id = CloudRecordID("a")
        let (plain, deleting) = (
            CloudValue.reference(CloudReference(recordID: id)),
            CloudValue.reference(CloudReference(recordID: id, action: .deleteSelf))
        )
        let elsewhere = CloudValue.reference(CloudReference(recordID: CloudRecordID("a", zone: CloudZoneID("z"))))
        #expect(try truths(plain, deleting) == "== <= >=")
        #expect(try truths(plain, elsewhere) == "!=")
        #expect(try truths(.list([plain]), .list([deleting])) == "== <= >=")
        #expect(try matches(.contains(field: "f", plain), .list([elsewhere, deleting])))
        #expect(try !matches(.contains(field: "f", plain), .list([elsewhere])))
        #expect(try matches(.oneOf(field: "f", [deleting]), plain))
    }

    @Test func `locations are equal by all eight values`() throws {
        let location = CloudLocation(latitude: 1, longitude: 2, timestamp: Date(timeIntervalSinceReferenceDate: 1))
        #expect(try matches(.compare(field: "f", .equal, .location(location)), .location(location)))
        let paths: [WritableKeyPath<CloudLocation, Double>] = [
            \.latitude, \.longitude, \.altitude, \.horizontalAccuracy, \.verticalAccuracy, \.course, \.speed,
        ]
        var others = paths.map { path in
            var other = location
            other[keyPath: path] += 0.5
            return other
        }
        others.append(CloudLocation(latitude: 1, longitude: 2))
        for other in others { #expect(try truths(.location(location), .location(other)) == "!=") }
    }

    @Test func `lists are equal element by element`() throws {
        let list = CloudValue.list([.string("a"), .string("b")])
        #expect(try matches(.compare(field: "f", .equal, list), list))
        #expect(try !matches(.compare(field: "f", .equal, .list([.string("b"), .string("a")])), list))
        #expect(try !matches(.compare(field: "f", .equal, .list([.string("a")])), list))
        #expect(try matches(.compare(field: "f", .equal, .list([])), .list([])))
        #expect(try matches(.compare(field: "f", .equal, .list([.double(-0.0)])), .list([.double(0)])))
        #expect(try !matches(.compare(field: "f", .equal, .list([.string("e\u{301}")])), .list([.string("é")])))
    }

    @Test func `a value of another type matches nothing, and != matches it`() throws {
        let values: [CloudValue] = [
            .string("1"), .int64(1), .date(Date(timeIntervalSinceReferenceDate: 1)), .bytes(Data([1])),
            .location(CloudLocation(latitude: 1, longitude: 1)),
            .reference(CloudReference(recordID: CloudRecordID("1"))), .list([.int64(1)]),
        ]
        for (position, own) in values.enumerated() {
            for (place, other) in values.enumerated() where place != position {
                #expect(try truths(own, other) == "!=", "\(own) \(other)")
                #expect(try !matches(.oneOf(field: "f", [other]), own))
            }
        }
        #expect(try !matches(.beginsWith(field: "f", ""), .int64(1)))
        #expect(try !matches(.contains(field: "f", .string("1")), .int64(1)))
        #expect(try !matches(.quantified(.all, field: "f", .everything), .int64(1)))
    }

    @Test func `a range has both its ends`() throws {
        let node = Node.between(field: "f", .int64(2), .double(3.5))
        #expect(try [1, 2, 3, 4].map { try matches(node, .int64($0)) } == [false, true, true, false])
        #expect(try matches(node, .double(3.5)))
        #expect(try !matches(.between(field: "f", .int64(3), .int64(2)), .int64(3)))
    }

    @Test func `one of several values is found among many of each type (C069)`() throws {
        let date = Date(timeIntervalSinceReferenceDate: 5)
        let values: [CloudValue?] = (0..<100).map { .int64($0 * 2) } + [.string("b"), .string("a"), .date(date)]
        let node = Node.oneOf(field: "f", values)
        for value in values { #expect(try matches(node, value)) }
        for value: CloudValue? in [.int64(3), .string("c"), .date(date + 1), .double(2.5), nil, .bytes(Data())] {
            #expect(try !matches(node, value))
        }
    }

    // MARK: Text

    @Test func `beginnings, ends and parts of text are found byte by byte`() throws {
        let text = CloudValue.string("100% of 'it'_\\")
        for part in ["100%", "100% of 'it'_\\", ""] { #expect(try matches(.beginsWith(field: "f", part), text)) }
        for part in ["_\\", "100% of 'it'_\\", ""] { #expect(try matches(.endsWith(field: "f", part), text)) }
        for part in ["% of", "'", "_", "\\", ""] { #expect(try matches(.contains(field: "f", .string(part)), text)) }
        for part in ["1_0", "%of", "100% OF", "100% of 'it'_\\ and more"] {
            #expect(try !matches(.beginsWith(field: "f", part), text))
            #expect(try !matches(.endsWith(field: "f", part), text))
            #expect(try !matches(.contains(field: "f", .string(part)), text))
        }
        // A part of a character is a part of the text.
        #expect(try matches(.beginsWith(field: "f", "e"), .string("e\u{301}")))
        #expect(try matches(.endsWith(field: "f", "\u{301}"), .string("e\u{301}")))
        #expect(try !matches(.beginsWith(field: "f", "\u{E9}"), .string("e\u{301}")))
        #expect(try matches(.contains(field: "f", .string("aab")), .string("aaab")))
        #expect(try matches(.endsWith(field: "f", "ÖN", [.caseInsensitive, .diacriticInsensitive]), .string("Schon")))
    }

    @Test func `patterns have wildcards`() throws {
        #expect(try matches(.like(field: "f", "h?l*o"), .string("hello")))
        #expect(try !matches(.like(field: "f", "h?l*o"), .string("Hello")))
        #expect(try matches(.like(field: "f", "H?L*O", .caseInsensitive), .string("hello")))
        #expect(try !matches(.like(field: "f", "%"), .string("hello")))
    }

    // MARK: Lists

    @Test func `a list contains whole elements, not parts of them (C071)`() throws {
        let genres = [["noir"], ["neo-noir", "art"], ["NOIR"], ["a\"noir\"b"], []].map { genres in
            CloudValue.list(genres.map(CloudValue.string))
        }
        let noir = Node.contains(field: "f", .string("noir"))
        #expect(try genres.map { try matches(noir, $0) } == [true, false, false, false, false])
        let art = Node.and([.contains(field: "f", .string("art")), .contains(field: "f", .string("neo-noir"))])
        #expect(try genres.map { try matches(art, $0) } == [false, true, false, false, false])
        let anyCase = Node.contains(field: "f", .string("noir"), .caseInsensitive)
        #expect(try genres.map { try matches(anyCase, $0) } == [true, false, true, false, false])
        let numbers = CloudValue.list([.int64(10), .int64(100)])
        #expect(try !matches(.contains(field: "f", .int64(1)), numbers))
        #expect(try matches(.contains(field: "f", .double(10)), numbers))
    }

    @Test func `ANY, ALL and NONE ask the elements, and of an empty or null list only ALL and NONE are true`() throws {
        let isLarge = Node.compare(field: "f", .greater, .int64(10))
        func answers(_ value: CloudValue?) throws -> [Bool] {
            try [.any, .all, .none].map { try matches(.quantified($0, field: "f", isLarge), value) }
        }
        func list(_ numbers: Int64...) -> CloudValue { .list(numbers.map(CloudValue.int64)) }
        #expect(try answers(list(1, 20)) == [true, false, false])
        #expect(try answers(list(30, 20)) == [true, true, false])
        #expect(try answers(list(1, 2)) == [false, false, true])
        #expect(try answers(list()) == [false, true, true])
        #expect(try answers(nil) == [false, true, true])
        let inner = Node.and([.not(.beginsWith(field: "f", "a")), .compare(field: "f", .notEqual, nil)])
        #expect(try matches(.quantified(.any, field: "f", inner), .list([.string("ab"), .string("ba")])))
        #expect(try !matches(.quantified(.any, field: "f", inner), .list([.string("ab"), .string("ac")])))
    }

    // MARK: Places and words

    @Test func `a place is near when its distance is smaller, in metres`() throws {
        let place = CloudLocation(latitude: 52, longitude: 13)
        let other = CloudLocation(latitude: 52.01, longitude: 13)
        let distance = other.distance(to: place)
        #expect(try !matches(.near(field: "f", place, metres: distance), .location(other)))
        #expect(try matches(.near(field: "f", place, metres: distance.nextUp), .location(other)))
        #expect(try !matches(.near(field: "f", place, metres: 0), .location(place)))
    }

    @Test func `each word occurs in some text field, and a search without words matches nothing`() throws {
        var record = record(.string("Hello, you"))
        record["g"] = .string("wörld of naïve_test, café☕️latte")
        record["h"] = .string("東京タワー")
        record["i"] = .list([.string("listed")])
        for words in ["hello world", "WORLD", "the naive", "latte", "東京", "タ", "@hello!", "[world]"] {
            #expect(try matches(.tokens(words), record), "\(words)")
        }
        for words in ["hello moon", "hell", "listed", "", " ", "☕️", "'", "the"] {
            #expect(try !matches(.tokens(words), record), "\(words)")
        }
    }

    // MARK: Logic

    @Test func `logic is two-valued, and empty chains are true and false`() throws {
        let (yes, no) = (Node.everything, Node.nothing)
        #expect(try matches(.and([]), nil))
        #expect(try !matches(.or([]), nil))
        #expect(try matches(.and([yes, .or([no, yes]), .not(no)]), nil))
        #expect(try !matches(.and([yes, no]), nil))
        #expect(try !matches(.or([no, .not(yes)]), nil))
    }

    @Test func `a literal that is no predicate throws its error`() throws {
        let error = try cloudError { _ = try CompiledPredicate("likes ==") }
        #expect(error.code == .invalidArguments)
    }

    @Test func `records of many layouts are told apart`() throws {
        let predicate = try CompiledPredicate(CloudPredicate(.compare(field: "f", .equal, .int64(1))))
        for round in 0..<3 {
            for count in 0..<9 {
                var record = CloudRecord(recordType: "Item")
                for number in 0..<count { record["g\(number)"] = .int64(2) }
                record["f"] = .int64(1)
                #expect(predicate.matches(record), "\(round) \(count)")
                record["f"] = .int64(2)
                #expect(!predicate.matches(record), "\(round) \(count)")
            }
        }
    }
}
