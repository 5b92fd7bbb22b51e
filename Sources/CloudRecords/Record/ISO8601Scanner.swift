import Foundation

/// Reads a point in time off ISO 8601 text, as other tools write it too.
struct ISO8601Scanner {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = Substring(text).utf8
    }

    /// The date, the time if there is one, and the offset if there is one; nil if anything else is in the text.
    mutating func date() -> Date? {
        guard
            let year = number(digits: 4), year >= 1, accept("-"), let month = number(digits: 2), accept("-"),
            let day = number(digits: 2), isDay(day, ofMonth: month, year: year)
        else { return nil }
        let days = ISO8601Text.daysSinceReference(year: year, month: month, day: day)
        let midnight = Double(days * 86_400)
        guard !rest.isEmpty else { return Date(timeIntervalSinceReferenceDate: midnight) }
        guard accept("T") || accept("t") || accept(" ") else { return nil }
        guard
            let hour = number(digits: 2), hour < 24, accept(":"), let minute = number(digits: 2), minute < 60
        else { return nil }
        var second = 0
        var fraction = 0.0
        if accept(":") {
            guard let number = number(digits: 2), number <= 60 else { return nil }
            second = number
            if accept(".") {
                guard let digits = fractionDigits() else { return nil }
                fraction = digits
            }
        }
        guard let offset = offset(), rest.isEmpty else { return nil }
        // Whole seconds first, which are exact: the fraction is rounded once only.
        let whole = midnight + Double(hour * 3_600 + minute * 60 + second - offset)
        return Date(timeIntervalSinceReferenceDate: whole + fraction)
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

    private mutating func fractionDigits() -> Double? {
        var digits = "0."
        while let digit = digit() { digits += String(digit) }
        return digits.count > 2 ? Double(digits) : nil
    }

    /// The offset from UTC in seconds.
    private mutating func offset() -> Int? {
        if rest.isEmpty || accept("Z") || accept("z") { return 0 }
        let sign = accept("+") ? 1 : accept("-") ? -1 : 0
        guard sign != 0, let hours = number(digits: 2), hours < 24 else { return nil }
        if rest.isEmpty { return sign * hours * 3_600 }
        _ = accept(":")
        guard let minutes = number(digits: 2), minutes < 60 else { return nil }
        return sign * (hours * 3_600 + minutes * 60)
    }

    private func isDay(_ day: Int, ofMonth month: Int, year: Int) -> Bool {
        guard (1...12).contains(month), day >= 1 else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return day <= lengths[month - 1]
    }
}
