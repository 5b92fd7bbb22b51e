import Foundation

extension RecordOrder {
    /// A number that is less for the record that comes first, as far as 64 bits of the first key tell.
    ///
    /// Of two records, the one with the smaller number precedes the other one; equal numbers say nothing.
    package func prefix(of record: CloudRecord) -> UInt64 {
        guard let (key, isAscending) = keys.first else { return 0 }
        let bits: UInt64 = positions.withFields(of: record) { fields in
            switch key {
            case .field(let number): Self.bits(of: fields[number].value)
            case .distance(let number, let place):
                Self.bits(of: fields[number].value?.locationValue.map { $0.distance(to: place) } ?? .infinity)
            case .system(let field): Self.bits(of: record.value(of: field))
            case .recordName: Self.bits(of: record.recordID.recordName)
            case .zone: 0
            }
        }
        return isAscending ? bits : ~bits
    }

    /// The place of the type in the upper bits, the upper bits of the value in the others.
    private static func bits(of value: CloudValue?) -> UInt64 {
        let upper: UInt64 =
            switch value {
            case .int64(let value)?: bits(of: Double(value))
            case .double(let value)?: bits(of: value)
            case .date(let value)?: bits(of: value.timeIntervalSinceReferenceDate)
            case .string(let value)?: bits(of: value)
            case .bytes(let value)?: bits(of: value)
            // References by the text that SQL keeps, which the whole comparison knows.
            case .reference?, .location?, .asset?, .list?, nil: 0
            }
        return UInt64(rank(value)) << 61 | upper >> 3
    }

    private static func bits(of value: Double) -> UInt64 {
        // Both zeros are equal.
        let bits = (value + 0).bitPattern
        return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
    }

    /// The first eight bytes.
    private static func bits(of text: String) -> UInt64 {
        var bits: UInt64 = 0
        var shift: UInt64 = 64
        for byte in text.utf8 {
            shift -= 8
            bits |= UInt64(byte) << shift
            if shift == 0 { break }
        }
        return bits
    }

    private static func bits(of bytes: Data) -> UInt64 {
        bytes.prefix(8).enumerated().reduce(0) { $0 | UInt64($1.element) << UInt64(56 - 8 * $1.offset) }
    }
}
