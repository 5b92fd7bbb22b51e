import Foundation

/// Points in time as ISO 8601 text in UTC, with as many digits as it takes to read the same `Date` back.
package enum ISO8601Text {
    /// The text; nil for a date outside of the years 1 to 9999, which the format can't hold.
    package static func text(of date: Date) -> String? {
        let seconds = date.timeIntervalSinceReferenceDate
        let whole = seconds.rounded(.down)
        guard whole >= firstSecond, whole <= lastSecond else { return nil }
        let stem = text(ofWholeSeconds: Int64(whole))
        let fraction = seconds - whole
        if fraction == 0 { return stem + "Z" }
        for digits in [3, 6, 9] {
            let text = stem + "." + String(decimalDigits(of: fraction, count: digits)) + "Z"
            if self.date(of: text) == date { return text }
        }
        // The shortest text that gives this very fraction; "0.…" or, for a tiny one, an exponent that can't be used.
        let digits = fraction.description
        guard digits.hasPrefix("0.") else { return nil }
        let text = stem + digits.dropFirst() + "Z"
        return self.date(of: text) == date ? text : nil
    }

    /// The point in time of a text such as `2026-11-30`, `2026-11-30 16:02` or `2026-11-30T16:02:31.5+02:00`; nil if
    /// it is none. A text without an offset is in UTC.
    package static func date(of text: String) -> Date? {
        var scanner = ISO8601Scanner(text)
        return scanner.date()
    }

    private static let firstSecond = Double(daysSinceReference(year: 1, month: 1, day: 1)) * 86_400
    private static let lastSecond = Double(daysSinceReference(year: 10_000, month: 1, day: 1)) * 86_400 - 1

    private static func decimalDigits(of fraction: Double, count: Int) -> Substring {
        let scale = count == 3 ? 1e3 : count == 6 ? 1e6 : 1e9
        let scaled = Int64(min((fraction * scale).rounded(), scale - 1))
        return String(Int64(scale) + scaled).dropFirst()
    }

    private static func text(ofWholeSeconds seconds: Int64) -> String {
        let days = Int((Double(seconds) / 86_400).rounded(.down))
        let rest = Int(seconds - Int64(days) * 86_400)
        let (year, month, day) = civilDate(daysSinceReference: days)
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let dayText = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
        return "\(dayText)T\(padded(rest / 3_600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2))"
    }

    /// Days from 2001-01-01 in the proleptic Gregorian calendar. Years are counted from March, so that leap days end them.
    static func daysSinceReference(year: Int, month: Int, day: Int) -> Int {
        let marchYear = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
        return marchYear * 365 + leapDays + dayOfYear - 730_791
    }

    private static func civilDate(daysSinceReference days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 730_791
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1
        )
    }
}
