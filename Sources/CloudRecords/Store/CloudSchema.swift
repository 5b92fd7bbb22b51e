/// What a database can hold: its record types with their fields and indexes.
///
/// ```swift
/// print(try await store.schema())
/// try await production.extendSchema(try await development.schema())
/// ```
public struct CloudSchema: Sendable, Hashable, Codable {
    /// The record types, sorted by name.
    public private(set) var recordTypes: [CloudRecordType]

    /// Makes a schema of record types, of which the later one counts where two have the same name.
    public init(recordTypes: [CloudRecordType] = []) {
        let named = Dictionary(recordTypes.map { ($0.name, $0) }, uniquingKeysWith: { _, later in later })
        self.recordTypes = named.values.sorted { $0.name < $1.name }
    }

    /// The record type of this name, if there is one.
    public subscript(name: String) -> CloudRecordType? {
        recordTypes.first { $0.name == name }
    }
}

/// A record type of a ``CloudSchema``.
public struct CloudRecordType: Sendable, Hashable, Codable {
    /// The name.
    public let name: String

    /// The types of the fields by name.
    public var fields: [String: CloudFieldType]

    /// What queries can find or sort quickly.
    public var indexes: Set<CloudIndex>

    /// Makes a record type.
    public init(name: String, fields: [String: CloudFieldType] = [:], indexes: Set<CloudIndex> = []) {
        self.name = name
        self.fields = fields
        self.indexes = indexes
    }
}
