import CloudKitDaoTestSupport
import CloudRecords
import Foundation

/// Makes values by chance, most of them of the kind that goes wrong.
struct RandomValues {
    var generator: SeededGenerator

    /// The default zone first.
    static let zones = [
        CloudZoneID.default, CloudZoneID("alpha"), CloudZoneID("beta"), CloudZoneID("Beta"),
        CloudZoneID("alpha", ownerName: "_ann"), CloudZoneID("al"),
    ]
    /// A zone that no store has.
    static let missingZone = CloudZoneID("missing")

    private static let textParts = [
        "", "a", "A", "ab", "aB", "b", "é", "e\u{301}", "E\u{301}\u{323}", "E\u{323}\u{301}", "e", "E", "ß", "ẞ", "ss",
        "ſ", "s", "K", "\u{212A}", "k", "Å", "\u{212B}", "%", "_", "\\", "\"", "'", "*", "?", "[", "]", "{", "null",
        "nil", "10", "9", "-0.0,", "-0.0]", "\u{1}", "\n", "\u{7F}", "\u{301}", "\u{D7FF}", "\u{E000}", "\u{FEFF}",
        "\u{FFFD}", "\u{FFFF}", "\u{10FFFF}", "🎺", "👨‍👩‍👧", "🇵🇹", "🇵", "Пирог", "пирог", "ΔΡΟΜΟΣ", "δρομος", "Żółw",
        "żołw", "İ", "I", "ı", "i", "ǆ", "ǅ", "Ǆ", "ﬁ", "東京", "タ", "한글", "hello", "Hello", "wörld", "WORLD", "the",
        "naïve_test", "\u{1E}deleteSelf", "\\u001edeleteSelf", "\u{1F}",
    ]

    private static let integers: [Int64] = [
        0, 1, -1, 2, 10, .min, .max, .min + 1, .max - 1, 1 << 53, 1 << 53 + 1, 1 << 53 - 1, -(1 << 53) - 1, 1 << 62,
    ]

    private static let doubles: [Double] = [
        0, -0.0, 1, -1, 0.1, 0.5, 1.5, 10, 1e21, 1e-7, 0x1p53, 0x1p53 + 2, 0x1p53 - 1, -0x1p53, 0x1p62, 0x1p63, -0x1p63,
        .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude,
        -.greatestFiniteMagnitude, 0.1 + 0.2, 0.3, 1e15, 1e16, 123_456_789.123_456_7, 1 / 3.0,
    ]

    private static let seconds: [Double] = [
        0, -0.0, 1, -1, 0.5, 700_000_000.123, 700_000_000.123_001, -63_114_076_800, 1e12, 0.000_001,
    ]

    private static let data = [
        Data(), Data([0]), Data([0, 0]), Data([1]), Data([0x7F]), Data([0x80]), Data([0xFF]), Data("a".utf8),
        Data([0xFB, 0xEF]), Data([0, 0x10, 0x83]),
    ]

    private static let coordinates: [(latitude: Double, longitude: Double)] = [
        (0, 0), (-0.0, -0.0), (90, 0), (-90, 12), (52.5, 13.4), (52.500_01, 13.4), (52.4, 13.5), (0, 180), (0, -180),
        (1, 179.9), (1, -179.9), (89.9, 10), (89.9, -170),
    ]

    mutating func text() -> String {
        (0..<generator.number(0..<4)).map { _ in generator.any(Self.textParts) }.joined(separator: "")
    }

    mutating func words() -> String {
        (0..<generator.number(0..<4)).map { _ in generator.any(Self.textParts) }.joined(separator: " ")
    }

    mutating func recordID() -> CloudRecordID {
        let name = generator.any(["a", "a", "a", "b", "A", "a b", "\\u001edeleteSelf", "a'\"%_", "~"])
        let zone = generator.once(in: 2) ? generator.any(Self.zones + [Self.missingZone]) : .default
        return CloudRecordID(name, zone: zone)
    }

    mutating func location() -> CloudLocation {
        let place = generator.any(Self.coordinates)
        var location = CloudLocation(latitude: place.latitude, longitude: place.longitude)
        if generator.once(in: 3) { location.altitude = generator.any(Self.doubles) }
        if generator.once(in: 4) {
            location.timestamp = Date(timeIntervalSinceReferenceDate: generator.any(Self.seconds))
        }
        return location
    }

    private mutating func finiteDouble() -> Double {
        while true {
            let number = Double(bitPattern: generator.next())
            if number.isFinite { return number }
        }
    }

    mutating func value(_ type: CloudFieldType) -> CloudValue {
        switch type {
        case .string, .asset: .string(text())
        case .int64: .int64(generator.once(in: 5) ? Int64(bitPattern: generator.next()) : generator.any(Self.integers))
        case .double: .double(generator.once(in: 5) ? finiteDouble() : generator.any(Self.doubles))
        case .date: .date(Date(timeIntervalSinceReferenceDate: generator.any(Self.seconds)))
        case .bytes: .bytes(generator.any(Self.data))
        case .location: .location(location())
        case .reference:
            .reference(CloudReference(recordID: recordID(), action: generator.any([.none, .deleteSelf])))
        case .list(of: let element):
            .list((0..<generator.number(0..<4)).map { _ in value(element ?? .string) })
        }
    }
}
