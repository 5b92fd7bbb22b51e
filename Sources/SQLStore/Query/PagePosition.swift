import CloudRecords
import Foundation

/// The place where a page ended: the values of the sort columns of its last record, of the zone its name.
enum PagePosition {
    static func encode(_ values: [SQLValue]) -> Data {
        Data(JSONText.array(values.map(json)).encoded.utf8)
    }

    /// - Throws: ``CloudError/Code/invalidArguments`` if the data is no position.
    static func decode(_ data: Data) throws -> [SQLValue] {
        guard case .array(let elements) = JSONText(decoding: String(decoding: data, as: UTF8.self)) else {
            throw malformed
        }
        return try elements.map(value)
    }

    private static func json(_ value: SQLValue) -> JSONText {
        switch value {
        case .null: .null
        case .integer(let number): .integer(number)
        // By its bits, so that it is the very same number.
        case .real(let number): .text("r" + String(number.bitPattern, radix: 16))
        case .text(let text): .text("t" + text)
        case .blob(let data): .text("b" + data.base64EncodedString())
        }
    }

    private static func value(_ element: JSONText) throws -> SQLValue {
        switch element {
        case .null: return .null
        case .integer(let number): return .integer(number)
        case .text(let text):
            let content = String(text.unicodeScalars.dropFirst())
            switch text.unicodeScalars.first {
            case "t": return .text(content)
            case "r": if let bits = UInt64(content, radix: 16) { return .real(Double(bitPattern: bits)) }
            case "b": if let data = Data(base64Encoded: content) { return .blob(data) }
            default: break
            }
            throw malformed
        case .bool, .real, .array: throw malformed
        }
    }

    static let malformed = CloudError(
        .invalidArguments,
        "The cursor is damaged, or is not one of this store.",
        remedy: "Start the query anew, without a cursor."
    )
}
