import CloudRecords

/// Makes a value of a `Codable` type of recognisable parts, so that a key path to a property of the type can be told.
///
/// A type whose decoding takes only certain values throws, and has no sample.
struct SampleDecoder: Decoder {
    /// Which one of two different samples.
    let which: Bool
    var codingPath: [any CodingKey] = []
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// A type that contains itself ends here.
    private static let maximumDepth = 6

    /// Two different values of a type; empty if it makes none.
    static func samples<Value: Decodable>(of type: Value.Type) -> [Value] {
        [false, true].compactMap { try? Value(from: SampleDecoder(which: $0)) }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(SampleFields<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { SampleList(decoder: self) }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    fileprivate var isDeepest: Bool { codingPath.count >= Self.maximumDepth }

    fileprivate func inside(_ key: any CodingKey) throws -> SampleDecoder {
        guard codingPath.count < 3 * Self.maximumDepth else { throw SampleFailure() }
        return SampleDecoder(which: which, codingPath: codingPath + [key])
    }
}

/// That a type makes no sample.
private struct SampleFailure: Error {}

private struct SampleKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }
}

extension SampleDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { isDeepest }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        // Of the types that are kept in fields otherwise than as JSON, the values are known.
        if !(type is any OptionalType.Type), let codec = CodecSelection.codec(for: type), codec.jsonForm != .json {
            let probes = codec.probes
            if let probe = probes.count > 1 && which ? probes[1] : probes.first { return probe }
        }
        return try Value(from: inside(SampleKey(intValue: 0)))
    }
}

private struct SampleFields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: SampleDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { decoder.isDeepest ? [] : [Key(stringValue: "key")].compactMap(\.self) }

    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) throws -> Bool { try decoder.inside(key).decodeNil() }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder.inside(key).decode(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder.inside(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder.inside(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try decoder.inside(SampleKey(stringValue: "super")) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder.inside(key) }
}

private struct SampleList: UnkeyedDecodingContainer {
    let decoder: SampleDecoder
    private(set) var currentIndex = 0

    init(decoder: SampleDecoder) {
        self.decoder = decoder
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    // A type that takes another number of elements has no sample.
    var count: Int? { decoder.isDeepest ? 0 : 2 }
    var isAtEnd: Bool { currentIndex >= (count ?? 0) }

    mutating func decodeNil() throws -> Bool {
        let isNil = try next().decodeNil()
        if isNil { currentIndex += 1 }
        return isNil
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let element = try next()
        currentIndex += 1
        return try element.decode(type)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try superDecoder().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try superDecoder().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder {
        let element = try next()
        currentIndex += 1
        return element
    }

    private func next() throws -> SampleDecoder {
        guard !isAtEnd else { throw SampleFailure() }
        return try decoder.inside(SampleKey(intValue: currentIndex))
    }
}
