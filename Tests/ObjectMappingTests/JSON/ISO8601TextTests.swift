import CloudRecords
import Foundation
import ObjectMapping
import Testing

private final class Moment: CloudDataObject {
    var at = Date(timeIntervalSinceReferenceDate: 0)
    var others: [Date] = []
}

@Suite struct ISO8601TextTests {
    private func text(of date: Date) throws -> String {
        let moment = Moment()
        moment.at = date
        let json = try moment.toJSON()
        return String(json.drop { $0 != ":" }.dropFirst().prefix { $0 != "," })
    }

    private func date(of text: String) throws -> Date {
        try Moment(json: "{\"at\": \(text)}").at
    }

    @Test(arguments: [
        (0.0, "\"2001-01-01T00:00:00Z\""), (-1.0, "\"2000-12-31T23:59:59Z\""), (0.5, "\"2001-01-01T00:00:00.500Z\""),
        (-0.5, "\"2000-12-31T23:59:59.500Z\""), (-978_307_200.0, "\"1970-01-01T00:00:00Z\""),
        (5_097_600.0, "\"2001-03-01T00:00:00Z\""), (5_097_599.0, "\"2001-02-28T23:59:59Z\""),
        (-26_524_800.0, "\"2000-02-29T00:00:00Z\""), (-63_113_904_000.0, "\"0001-01-01T00:00:00Z\""),
        (252_423_993_599.0, "\"9999-12-31T23:59:59Z\""),
    ])
    func `dates are ISO 8601 text in UTC`(seconds: Double, expected: String) throws {
        #expect(try text(of: Date(timeIntervalSinceReferenceDate: seconds)) == expected)
        #expect(try date(of: expected) == Date(timeIntervalSinceReferenceDate: seconds))
    }

    @Test(arguments: [
        ("2024-06-01T08:00:00Z", 1_717_228_800.0), ("2024-06-01T10:00:00+02:00", 1_717_228_800.0),
        ("2024-06-01T10:00:00+0200", 1_717_228_800.0), ("2024-06-01T03:30:00-04:30", 1_717_228_800.0),
        ("2024-06-01 08:00:00.250", 1_717_228_800.25), ("2024-06-01T08:00:00", 1_717_228_800.0),
        ("2024-02-29T00:00:00Z", 1_709_164_800.0), ("2024-02-29", 1_709_164_800.0),
    ])
    func `other spellings of a date are understood`(text: String, seconds: Double) throws {
        #expect(try date(of: "\"\(text)\"") == Date(timeIntervalSince1970: seconds))
    }

    @Test(arguments: [
        "", "garbage", "2024-06", "2024-13-01T00:00:00Z", "2024-00-01T00:00:00Z", "2024-06-31T00:00:00Z",
        "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2024-06-00T00:00:00Z", "2024-06-01T24:00:00Z",
        "2024-06-01T00:60:00Z", "2024-06-01T00:00:61Z", "2024-06-01T00:00:00.Z", "2024-06-01T00:00:00Z ",
        "2024-06-01T00:00:00+25:00", "0000-01-01T00:00:00Z", "-2024-06-01T00:00:00Z", "٢٠٢٤-06-01T00:00:00Z",
        "2024-06-01T00:00:00ZZ", "20240601T000000Z",
    ])
    func `text that is no date is an error, never another date`(text: String) throws {
        #expect(try cloudError(.mappingFailed) { _ = try date(of: "\"\(text)\"") }.field == "at")
    }

    @Test func `every date comes back exactly: random ones, near the reference date, in the far past and future`()
        throws
    {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        var dates: [Date] = [.distantPast, .distantFuture]
        for _ in 0..<300 {
            dates += [
                Double.random(in: -1e9...1e9, using: &generator),
                Double.random(in: -1...1, using: &generator),
                Double.random(in: -1e-9...1e-9, using: &generator),
                Double.random(in: -6.4e10 ... -6.2e10, using: &generator),
                Double.random(in: 2.52e11...2.53e11, using: &generator),
                Double.random(in: -1e300...1e300, using: &generator),
                Double.random(in: -1e6...1e6, using: &generator).rounded() / 1000,
            ].map(Date.init(timeIntervalSinceReferenceDate:))
            let bits = Double(bitPattern: generator.next())
            if bits.isFinite { dates.append(Date(timeIntervalSinceReferenceDate: bits)) }
        }
        for boundary in [-63_113_904_000.0, 252_423_993_600.0, 0, 1, -1, .leastNonzeroMagnitude] {
            dates += [boundary, boundary.nextUp, boundary.nextDown].map(Date.init(timeIntervalSinceReferenceDate:))
        }
        let moment = Moment()
        moment.others = dates
        let loaded = try jsonRoundTrip(moment)
        for (index, date) in dates.enumerated() {
            #expect(loaded.others[index] == date, "seed \(seed), \(date.timeIntervalSinceReferenceDate)")
        }
    }

    @Test func `random times of a day agree with Foundation's calendar`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            // From 1600 on, where Foundation's calendar is Gregorian too.
            let date = Date(
                timeIntervalSinceReferenceDate: Double(
                    Int64.random(in: -12_600_000_000...200_000_000_000, using: &generator)
                )
            )
            #expect(try text(of: date) == "\"\(date.formatted(.iso8601))\"", "seed \(seed)")
        }
    }
}
