import CloudRecords
import Foundation
import Testing

private enum Kind: String, CloudValueConvertible {
    case text, picture
}

@Suite struct PredicateParserArgumentTests {
    @Test func `arguments stand where their specifiers do`() throws {
        let predicate = try CloudPredicate(format: "from == %@ AND likes > %d", "me", 3)
        #expect(
            predicate.node
                == .and([
                    .compare(field: "from", .equal, .string("me")), .compare(field: "likes", .greater, .int64(3)),
                ])
        )
        #expect(
            try CloudPredicate(format: "%K == %@", "from", "me").node == .compare(field: "from", .equal, .string("me"))
        )
        #expect(try CloudPredicate(format: "%@ IN %K", "x", "tags").node == .contains(field: "tags", .string("x")))
        #expect(
            try CloudPredicate(format: "a IN {%@, %d, nil}", "x", 2).node
                == .oneOf(field: "a", [.string("x"), .int64(2), nil])
        )
        #expect(
            try CloudPredicate(format: "a BETWEEN {%f, %f}", 1.5, Float(2)).node
                == .between(field: "a", .double(1.5), .double(2))
        )
        #expect(try CloudPredicate(format: "a BETWEEN %@", [1, 2]).node == .between(field: "a", .int64(1), .int64(2)))
        #expect(try CloudPredicate(format: "self CONTAINS %@", "a b").node == .tokens("a b"))
        #expect(try CloudPredicate(format: "a BEGINSWITH %@", "a").node == .beginsWith(field: "a", "a"))
    }

    @Test func `every kind of value can be an argument`() throws {
        let date = Date(timeIntervalSinceReferenceDate: 1)
        let id = CloudRecordID("u")
        let missing: String? = nil
        let present: String? = "x"
        let arguments: [((any CloudValueConvertible)?, CloudValue?)] = [
            ("x", .string("x")), (1, .int64(1)), (1.5, .double(1.5)), (true, .int64(1)), (date, .date(date)),
            (Data([1]), .bytes(Data([1]))), (id, .reference(CloudReference(recordID: id))),
            (Kind.picture, .string("picture")), (nil, nil), (missing, nil), (present, .string("x")),
            ([1, 2], .list([.int64(1), .int64(2)])), (URL(string: "https://a.b"), .string("https://a.b")),
        ]
        for (argument, value) in arguments {
            #expect(try CloudPredicate(format: "a == %@", argument).node == .compare(field: "a", .equal, value))
        }
        #expect(try CloudPredicate(format: "a == %@", nil).node == .compare(field: "a", .equal, nil))
        #expect(try CloudPredicate(format: "a == %@", missing).node == .compare(field: "a", .equal, nil))
        let kinds: [Kind] = [.text, .picture]
        #expect(
            try CloudPredicate(format: "a IN %@", kinds).node
                == .oneOf(field: "a", [.string("text"), .string("picture")])
        )
    }

    @Test(arguments: ["%d", "%i", "%u", "%ld", "%li", "%lu", "%lld", "%lli", "%llu"])
    func `integer specifiers take integers`(specifier: String) throws {
        let format = "a == \(specifier) AND b == 1"
        #expect(
            try CloudPredicate(format: format, Int64.max).node
                == .and([.compare(field: "a", .equal, .int64(.max)), .compare(field: "b", .equal, .int64(1))])
        )
        for argument: (any CloudValueConvertible)? in [1.5, "1", nil, Date(), [1]] {
            let error = try cloudError { _ = try CloudPredicate(format: format, argument) }
            #expect(error.code == .invalidArguments)
            #expect(error.message.contains("at position 5: \(specifier) expected an integer"), "\(error)")
        }
    }

    @Test func `the double specifier takes numbers`() throws {
        #expect(try CloudPredicate(format: "a == %f", 1.5).node == .compare(field: "a", .equal, .double(1.5)))
        #expect(try CloudPredicate(format: "a == %lf", 2).node == .compare(field: "a", .equal, .double(2)))
        let error = try cloudError { _ = try CloudPredicate(format: "a == %f", "1.5") }
        #expect(error.message.contains("at position 5: %f expected a number, and argument 1 is a STRING"), "\(error)")
    }

    @Test(arguments: ["", "_a", "a b", "a == 1 OR b", "a.b", "ä", "a;", "a'"])
    func `a field argument has to be a field's name`(name: String) throws {
        let error = try cloudError { _ = try CloudPredicate(format: "b == 1 AND %K == 1", name) }
        #expect(error.code == .invalidArguments)
        #expect(error.message.contains("at position 11: expected a field name"), "\(error)")
        let notText = try cloudError { _ = try CloudPredicate(format: "%K == 1", 5) }
        #expect(notText.message.contains("at position 0: %K expected the name of a field"), "\(notText)")
    }

    @Test func `a field argument may have a keyword's name or be a system field`() throws {
        #expect(try CloudPredicate(format: "%K == 1", "in").node == .compare(field: "in", .equal, .int64(1)))
        #expect(
            try CloudPredicate(format: "%K == 1", "creationDate").node
                == .compare(field: "creationDate", .equal, .int64(1))
        )
    }

    @Test func `too few and too many arguments are errors`() throws {
        let few = try cloudError { _ = try CloudPredicate(format: "a == %@ AND b == %@", 1) }
        #expect(few.message.contains("at position 17: expected an argument for %@, but there is only 1"), "\(few)")
        let none = try cloudError { _ = try CloudPredicate(format: "a == %d", argumentArray: []) }
        #expect(none.message.contains("at position 5:"), "\(none)")
        let many = try cloudError { _ = try CloudPredicate(format: "a == %@", 1, 2, nil) }
        #expect(many.message.contains("at position 7: expected 1 arguments, found 3"), "\(many)")
    }

    @Test(arguments: ["%", "%x", "%5d", "%.2f", "%s", "%%", "% d", "%l"])
    func `unknown specifiers are errors`(specifier: String) throws {
        let error = try cloudError { _ = try CloudPredicate(format: "a == \(specifier)", 1) }
        #expect(error.code == .invalidArguments)
        #expect(error.message.contains("at position 5: expected one of %@ %K"), "\(error)")
    }

    @Test(arguments: ["a == '%@'", "a == \"%@\"", "a == '%K'", "a == '%d'", "a == '%ld'", "a == '%f'"])
    func `a specifier inside quotes is an error`(format: String) throws {
        let error = try cloudError { _ = try CloudPredicate(format: format, "x") }
        #expect(error.code == .invalidArguments)
        #expect(error.message.contains("at position 6:"), "\(error)")
        #expect(error.message.contains("inside quotes"), "\(error)")
        #expect(throws: CloudError.self) { try CloudPredicate(format: format) }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `values that no field can hold are errors`(number: Double) throws {
        let error = try cloudError { _ = try CloudPredicate(format: "a == %@", number) }
        #expect(error.code == .invalidArguments)
        #expect(error.message.contains("at position 5: the value is a number that is infinite"), "\(error)")
        #expect(throws: CloudError.self) { try CloudPredicate(format: "a == %f", number) }
        #expect(throws: CloudError.self) { try CloudPredicate(format: "a IN %@", [1, number]) }
    }

    @Test func `an integer above Int64.max is an error with its position`() throws {
        let error = try cloudError { _ = try CloudPredicate(format: "a == %lu", UInt64.max) }
        #expect(error.message.contains("at position 5: the value can't be used: 18446744073709551615"), "\(error)")
    }
}
