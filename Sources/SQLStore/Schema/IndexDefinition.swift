/// The columns of an index, with their directions.
package struct IndexDefinition: Sendable, Hashable {
    package struct Column: Sendable, Hashable {
        let name: String
        let isAscending: Bool
    }

    package let columns: [Column]

    /// The index for records that are equal in some columns and sorted by others.
    ///
    /// An index can be read backwards, so that the first sorted column may be taken as ascending.
    package init(equal: [String], sorted: [Column]) {
        let isReversed = sorted.first.map { !$0.isAscending } ?? false
        var seen: Set<String> = []
        let all =
            equal.map { Column(name: $0, isAscending: true) }
            + sorted.map { Column(name: $0.name, isAscending: $0.isAscending != isReversed) }
        columns = all.filter { seen.insert($0.name).inserted }
    }

    /// Reads an index's name in the database; nil if it is none of an index on columns.
    init?(name: String, inTable table: String) {
        let prefix = Self.prefix(ofTable: table)
        guard name.hasPrefix(prefix) else { return nil }
        columns = name.dropFirst(prefix.count).split(separator: ",").map { column in
            column.hasSuffix("-")
                ? Column(name: String(column.dropLast()), isAscending: false)
                : Column(name: String(column), isAscending: true)
        }
    }

    private static func prefix(ofTable table: String) -> String { "_\(table)_by_" }

    /// The index's name in the database.
    func name(inTable table: String) -> String {
        Self.prefix(ofTable: table) + columns.map { $0.isAscending ? $0.name : "\($0.name)-" }.joined(separator: ",")
    }

    func columnList(_ dialect: any SQLDialect) -> String {
        let list = columns.map { dialect.quoted($0.name) + ($0.isAscending ? "" : " DESC") }
        return "(\(list.joined(separator: ", ")))"
    }
}
