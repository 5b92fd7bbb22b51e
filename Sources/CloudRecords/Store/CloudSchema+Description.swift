extension CloudSchema: CustomStringConvertible {
    /// The schema in CloudKit's schema language, sorted by name, so that equal schemas give equal texts.
    ///
    /// CloudKit indexes single fields: a field is queryable and sortable here if it is a key of any index, and text is
    /// searchable if words are. What the language has no words for stands in comments: indexes of several keys, and
    /// lists whose elements' type is not known yet. The grants are those that CloudKit gives a new type.
    public var description: String {
        "DEFINE SCHEMA\n" + recordTypes.map { "\n\($0)\n" }.joined()
    }
}

extension CloudRecordType: CustomStringConvertible {
    /// The record type in CloudKit's schema language, see ``CloudSchema/description``.
    public var description: String {
        let keys = Set(indexes.flatMap(\.keys).map(\.field))
        var items: [String] = []
        var notes: [String] = []
        for field in SystemField.allCases where keys.contains(field.rawValue) {
            items.append("\"\(field.schemaName)\" \(field.schemaType) \(Self.options(of: field.schemaType))")
        }
        for (name, type) in fields.sorted(by: { $0.key < $1.key }) {
            guard type != .list(of: nil) else {
                notes.append("\(name) is a list whose elements' type is not known yet")
                continue
            }
            var item = "\(Self.identifier(name)) \(type)"
            if keys.contains(name) { item += " \(Self.options(of: type))" }
            if type == .string, indexes.contains(.words) { item += " SEARCHABLE" }
            items.append(item)
        }
        items += ["GRANT WRITE TO \"_creator\"", "GRANT CREATE TO \"_icloud\"", "GRANT READ TO \"_world\""]
        notes += indexes.filter { $0.keys.count > 1 }.map { "index: \($0)" }.sorted()
        let lines = items.enumerated().map { "    \($1)\($0 < items.count - 1 ? "," : "")" }
        return (["RECORD TYPE \(Self.identifier(name)) ("] + notes.map { "    // \($0)" } + lines + [");"])
            .joined(separator: "\n")
    }

    /// What an indexed field can be used for.
    private static func options(of type: CloudFieldType) -> String {
        type == .reference ? "QUERYABLE" : "QUERYABLE SORTABLE"
    }

    /// Words of the language stand in quotes when they are names.
    private static func identifier(_ name: String) -> String {
        let words: Set = ["grant", "preferred", "queryable", "sortable", "searchable"]
        return words.contains(name.lowercased()) ? "\"\(name)\"" : name
    }
}

extension SystemField {
    /// The name that schemas have for the field.
    fileprivate var schemaName: String {
        switch self {
        case .recordID: "___recordID"
        case .creationDate: "___createTime"
        case .modificationDate: "___modTime"
        case .creatorUserRecordID: "___createdBy"
        case .lastModifiedUserRecordID: "___modifiedBy"
        case .recordChangeTag: "___etag"
        }
    }

    fileprivate var schemaType: CloudFieldType {
        switch self {
        case .recordID, .creatorUserRecordID, .lastModifiedUserRecordID: .reference
        case .creationDate, .modificationDate: .date
        case .recordChangeTag: .string
        }
    }
}
