import CloudRecords
import Foundation
import SQLiteStore
import Testing

@Suite("Distances")
struct Distances {
    private static func place(_ latitude: Double, _ longitude: Double) -> CloudLocation {
        CloudLocation(latitude: latitude, longitude: longitude)
    }

    private static func store(_ places: [String: CloudLocation?]) async throws -> SQLiteStore {
        let store = try SQLiteStore.inMemory()
        let records = places.map { name, place in item(name, ["p": place.map { .location($0) }]) }
        for outcome in try await store.modify(CloudModification(saving: records)).saved { _ = try outcome.get() }
        return store
    }

    @Test("The poles and the date line are no borders")
    func borders() async throws {
        let store = try await Self.store([
            "east": Self.place(0, 179.99), "west": Self.place(0, -179.99), "line": Self.place(0, 180),
            "otherLine": Self.place(0, -180), "pole": Self.place(90, 0), "nearPole": Self.place(89.99, 120),
            "acrossPole": Self.place(89.99, -60), "south": Self.place(-90, 17), "none": nil,
        ])
        func near(_ latitude: Double, _ longitude: Double, _ metres: Double) async throws -> [String] {
            try await store.matches(.near(field: "p", Self.place(latitude, longitude), metres: metres))
        }
        #expect(try await near(0, 180, 2_000) == ["east", "line", "otherLine", "west"])
        #expect(try await near(0, -180, 2_000) == ["east", "line", "otherLine", "west"])
        #expect(try await near(0, 179.99, 2_000) == ["east", "line", "otherLine"])
        #expect(try await near(0, -179.99, 2_000) == ["line", "otherLine", "west"])
        #expect(try await near(89.99, 120, 3_000) == ["acrossPole", "nearPole", "pole"])
        #expect(try await near(90, 77, 3_000) == ["acrossPole", "nearPole", "pole"])
        #expect(try await near(-89.999, -100, 3_000) == ["south"])
    }

    @Test("No, huge and senseless radii")
    func radii() async throws {
        let store = try await Self.store([
            "a": Self.place(10, 10), "antipode": Self.place(-10, -170), "none": nil,
        ])
        let here = Self.place(10, 10)
        #expect(try await store.matches(.near(field: "p", here, metres: 0)) == [])
        #expect(try await store.matches(.near(field: "p", here, metres: -1)) == [])
        #expect(try await store.matches(.near(field: "p", here, metres: .leastNonzeroMagnitude)) == ["a"])
        #expect(try await store.matches(.near(field: "p", here, metres: 1e9)) == ["a", "antipode"])
        #expect(try await store.matches(.near(field: "p", here, metres: 1e300)) == ["a", "antipode"])
        #expect(try await store.matches(.not(.near(field: "p", here, metres: 5))) == ["antipode", "none"])
        #expect(try await store.matches(.near(field: "nobody", here, metres: 5)) == [])
    }

    @Test("The very distance is not closer, and the next number is")
    func exactness() async throws {
        var generator = Scatter()
        var places: [String: CloudLocation] = [:]
        for number in 0..<200 {
            places["n\(number)"] = Self.place(
                .random(in: -90...90, using: &generator),
                .random(in: -180...180, using: &generator)
            )
        }
        let store = try await Self.store(places)
        for (name, place) in places.prefix(40) {
            let centre = Self.place(
                .random(in: -90...90, using: &generator),
                .random(in: -180...180, using: &generator)
            )
            let distance = place.distance(to: centre)
            for metres in [distance, distance.nextUp] {
                let expected = places.filter { $0.value.distance(to: centre) < metres }.keys.sorted()
                #expect(
                    try await store.matches(.near(field: "p", centre, metres: metres)) == expected,
                    "\(name) \(place) from \(centre)"
                )
            }
        }
    }

    @Test("Nearest first, without a location last, in pages of any size", arguments: [1, 3, 7, 100])
    func order(pageSize: Int) async throws {
        var places: [String: CloudLocation?] = [:]
        for number in 0..<30 { places["p\(number)"] = Self.place(Double(number * 7 % 30), Double(number % 4)) }
        for number in 0..<5 { places["tie\(number)"] = Self.place(5, 5) }
        for number in 0..<8 { places["none\(number)"] = .some(nil) }
        let store = try await Self.store(places)
        let centre = Self.place(5, 5)
        func distance(_ name: String) -> Double { (places[name] ?? nil)?.distance(to: centre) ?? .infinity }
        let expected = places.keys.sorted {
            let (left, right) = (distance($0), distance($1))
            return left == right ? $0 < $1 : left < right
        }
        let query = CloudQuery(recordType: "Item", orderBy: .distance("p", from: centre))
        #expect(try await store.names(query, pageSize: pageSize) == expected)
        let limited = CloudQuery(
            recordType: "Item",
            predicate: CloudPredicate(.near(field: "p", centre, metres: 1e6)),
            orderBy: .distance("p", from: centre)
        )
        #expect(try await store.names(limited, pageSize: pageSize) == expected.filter { distance($0) < 1e6 })
        let second = CloudQuery(recordType: "Item", orderBy: .ascending("nobody").distance("p", from: centre))
        #expect(try await store.names(second, pageSize: pageSize) == expected)
        let missing = CloudQuery(recordType: "Item", orderBy: .distance("nobody", from: centre))
        #expect(try await store.names(missing, pageSize: pageSize) == places.keys.sorted())
    }

    @Test("At most so many metres includes the very distance, in SQL and in memory")
    func bounds() async throws {
        let (here, there) = (Self.place(52, 13), Self.place(52.01, 13))
        let store = try await Self.store(["here": here, "there": there, "none": nil])
        let metres = there.distance(to: here)
        for (comparison, radius, expected) in [
            ("<", metres, ["here"]), ("<=", metres, ["here", "there"]), ("<=", metres.nextDown, ["here"]),
            ("<", 0, []), ("<=", 0, ["here"]), ("<=", -1, []),
        ] {
            let predicate = try CloudPredicate(
                format: "distanceToLocation:fromLocation:(p, %@) \(comparison) %f",
                here,
                radius
            )
            #expect(try await store.matches(predicate.node) == expected, "\(predicate)")
            let test = try CompiledPredicate(predicate)
            var found: [String] = []
            for record in try await store.page(CloudQuery(recordType: "Item"), after: nil, limit: 9).records
            where test.matches(record) {
                found.append(record.recordID.recordName)
            }
            #expect(found.sorted() == expected, "\(predicate)")
        }
    }

    @Test("A moved, cleared or deleted record is where it is now")
    func changes() async throws {
        let store = try await Self.store(["a": Self.place(1, 1), "b": Self.place(1, 1), "c": Self.place(1, 1)])
        let node = CloudPredicate.Node.near(field: "p", Self.place(1, 1), metres: 10)
        #expect(try await store.matches(node) == ["a", "b", "c"])
        try await store.saveOne(item("a", ["p": .location(Self.place(2, 2))]), .allKeys)
        try await store.saveOne(item("b", ["p": nil]), .allKeys)
        _ = try await store.modify(CloudModification(deleting: [CloudRecordID("c")]))
        #expect(try await store.matches(node) == [])
    }

    @Test("Distances of the locations in a list")
    func lists() async throws {
        let store = try SQLiteStore.inMemory()
        try await store.saveOne(
            item("a", ["l": .list([.location(Self.place(1, 1)), .location(Self.place(0.1, 50))])])
        )
        try await store.saveOne(item("b", ["l": .list([])]))
        let node = CloudPredicate.Node.near(field: "l", Self.place(0.1, 50), metres: 0.001)
        #expect(try await store.matches(.quantified(.any, field: "l", node)) == ["a"])
        #expect(try await store.matches(.quantified(.all, field: "l", node)) == ["b"])
    }
}

/// Numbers that look random and are the same in every run.
private struct Scatter: RandomNumberGenerator {
    private var state: UInt64 = 2026

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
