import Foundation

/// Dates as other tools write them into a column: ISO 8601 text.
package enum DateText {
    /// Reads a date like `2024-05-06`, `2024-05-06 07:08:09` or `2024-05-06T07:08:09.123+02:00`; nil if it is none.
    ///
    /// Without an offset the time is UTC.
    package static func date(_ text: String) -> Date? {
        var scanner = DateTextScanner(text)
        return scanner.date()
    }
}

private struct DateTextScanner {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = Substring(text).utf8
    }

    mutating func date() -> Date? {
        guard
            let year = number(digits: 4), accept("-"), let month = number(digits: 2), accept("-"),
            let day = number(digits: 2), isDay(day, ofMonth: month, year: year)
        else { return nil }
        var seconds = Double((daysSince2001(year: year, month: month, day: day)) * 86_400)
        guard !rest.isEmpty else { return Date(timeIntervalSinceReferenceDate: seconds) }
        guard accept("T") || accept("t") || accept(" ") else { return nil }
        guard
            let hour = number(digits: 2), hour < 24, accept(":"), let minute = number(digits: 2), minute < 60
        else { return nil }
        seconds += Double(hour * 3600 + minute * 60)
        if accept(":") {
            guard let second = number(digits: 2), second <= 60 else { return nil }
            seconds += Double(second)
            if accept(".") {
                guard let fraction = fraction() else { return nil }
                seconds += fraction
            }
        }
        guard let offset = offset(), rest.isEmpty else { return nil }
        return Date(timeIntervalSinceReferenceDate: seconds - Double(offset))
    }

    private mutating func accept(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func digit() -> Int? {
        guard let byte = rest.first, byte >= 48, byte < 58 else { return nil }
        rest.removeFirst()
        return Int(byte) - 48
    }

    private mutating func number(digits: Int) -> Int? {
        var value = 0
        for _ in 0..<digits {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    private mutating func fraction() -> Double? {
        var digits = "0."
        while let digit = digit() { digits += String(digit) }
        return digits.count > 2 ? Double(digits) : nil
    }

    /// The offset from UTC in seconds.
    private mutating func offset() -> Int? {
        if accept(" "), rest.isEmpty { return nil }
        if rest.isEmpty || accept("Z") || accept("z") { return 0 }
        let sign = accept("+") ? 1 : accept("-") ? -1 : 0
        guard sign != 0, let hours = number(digits: 2), hours < 24 else { return nil }
        if rest.isEmpty { return sign * hours * 3600 }
        _ = accept(":")
        guard let minutes = number(digits: 2), minutes < 60 else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }

    private func isDay(_ day: Int, ofMonth month: Int, year: Int) -> Bool {
        guard (1...12).contains(month), day >= 1 else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return day <= lengths[month - 1]
    }

    /// Days by the proleptic Gregorian calendar, counted in years that begin in March.
    private func daysSince2001(year: Int, month: Int, day: Int) -> Int {
        func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
            let shifted = month > 2 ? (year, month - 3) : (year - 1, month + 9)
            let (years, months) = shifted
            let leapDays =
                Int((Double(years) / 4).rounded(.down)) - Int((Double(years) / 100).rounded(.down))
                + Int((Double(years) / 400).rounded(.down))
            return years * 365 + leapDays + (months * 153 + 2) / 5 + day
        }
        return days(year, month, day) - days(2001, 1, 1)
    }
}
