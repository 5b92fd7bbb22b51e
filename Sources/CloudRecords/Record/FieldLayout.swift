/// The names of a record's fields, shared by all records of one page or one class.
///
/// A record keeps its values in an array beside such a layout, so that mapping is a walk over indexes
/// and not a look-up for every field. Layouts are immutable.
public final class FieldLayout: Sendable {
    /// The record type that the fields belong to.
    public let recordType: String

    /// The names of the fields, each once, in the order of the values.
    public let names: [String]

    /// What is known of the fields' types, in the same order; nil where nothing is.
    ///
    /// A store makes a column of the right type from it even for a null or an empty list.
    public let types: [CloudFieldType?]

    private let indexes: [String: Int]

    /// The first name that breaks the rules; kept so that a batch of records checks its names once.
    package let nameViolation: NameViolation?

    /// A name that breaks the rules.
    package struct NameViolation: Sendable {
        /// The name of the field; nil when it is the record type.
        package let field: String?
        package let rule: NameRule.Violation
    }

    /// Makes a layout. A name that appears again is left out with its type.
    public init(recordType: String, names: [String], types: [CloudFieldType?] = []) {
        var indexes: [String: Int] = [:]
        indexes.reserveCapacity(names.count)
        var uniqueNames: [String] = []
        var uniqueTypes: [CloudFieldType?] = []
        for (position, name) in names.enumerated() where indexes[name] == nil {
            indexes[name] = uniqueNames.count
            uniqueNames.append(name)
            uniqueTypes.append(position < types.count ? types[position] : nil)
        }
        self.recordType = recordType
        self.names = uniqueNames
        self.types = uniqueTypes
        self.indexes = indexes
        nameViolation = Self.violation(ofRecordType: recordType) ?? Self.violation(in: uniqueNames)
    }

    /// Makes the layout with one more field, whose name is a new one.
    private init(extending layout: FieldLayout, with name: String, type: CloudFieldType?) {
        recordType = layout.recordType
        names = layout.names + [name]
        types = layout.types + [type]
        var indexes = layout.indexes
        indexes[name] = layout.count
        self.indexes = indexes
        nameViolation = layout.nameViolation ?? Self.violation(in: [name])
    }

    private static func violation(ofRecordType recordType: String) -> NameViolation? {
        NameRule.violation(ofIdentifier: recordType).map { NameViolation(field: nil, rule: $0) }
    }

    private static func violation(in names: [String]) -> NameViolation? {
        for name in names {
            if let rule = NameRule.violation(ofFieldName: name) { return NameViolation(field: name, rule: rule) }
        }
        return nil
    }

    /// The number of fields.
    @inlinable
    public var count: Int { names.count }

    /// The position of a field, or nil if the layout lacks it.
    /// - Complexity: O(1).
    public func index(of name: String) -> Int? { indexes[name] }

    /// The layout with one more field at its end; the same layout if it has the field.
    package func adding(_ name: String, type: CloudFieldType?) -> FieldLayout {
        index(of: name) == nil ? FieldLayout(extending: self, with: name, type: type) : self
    }
}
