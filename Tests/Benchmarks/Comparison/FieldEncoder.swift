import Foundation

/// Mapping through `Codable`: an encoder of its own that puts each property into a dictionary.
final class FieldEncoder: Encoder {
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    fileprivate var fields: [String: FloorValue] = [:]

    static func fields(of value: some Encodable) throws -> [String: FloorValue] {
        let encoder = FieldEncoder()
        try value.encode(to: encoder)
        return encoder.fields
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Container(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { preconditionFailure("only properties are encoded") }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        preconditionFailure("only properties are encoded")
    }

    private struct Container<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: FieldEncoder
        let codingPath: [any CodingKey] = []

        mutating func encodeNil(forKey key: Key) { encoder.fields[key.stringValue] = .null }
        mutating func encode(_ value: String, forKey key: Key) { encoder.fields[key.stringValue] = .string(value) }
        mutating func encode(_ value: Int, forKey key: Key) { encoder.fields[key.stringValue] = .int64(Int64(value)) }
        mutating func encode(_ value: Double, forKey key: Key) { encoder.fields[key.stringValue] = .double(value) }
        mutating func encode(_ value: Bool, forKey key: Key) {
            encoder.fields[key.stringValue] = .int64(value ? 1 : 0)
        }

        mutating func encode(_ value: some Encodable, forKey key: Key) throws {
            if let date = value as? Date { encoder.fields[key.stringValue] = .date(date) }
        }

        mutating func nestedContainer<NestedKey: CodingKey>(
            keyedBy keyType: NestedKey.Type,
            forKey key: Key
        ) -> KeyedEncodingContainer<NestedKey> {
            encoder.container(keyedBy: keyType)
        }

        mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            encoder.unkeyedContainer()
        }

        mutating func superEncoder() -> any Encoder { encoder }
        mutating func superEncoder(forKey key: Key) -> any Encoder { encoder }
    }
}
