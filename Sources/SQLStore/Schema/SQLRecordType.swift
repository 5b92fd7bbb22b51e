import CloudRecords
import Synchronization

/// A record type and its table, at one state of the schema. A change of the schema makes a new one.
package final class SQLRecordType: Sendable {
    package let id: Int64
    package let name: String
    package let table: String
    package let fields: [SQLField]
    /// The fields that are not deployed, which production does not see.
    let hiddenFields: [SQLField]
    /// The names of the indexes that were made for queries.
    package let indexes: Set<String>
    /// The table of the records' words; nil as long as nobody has searched for words.
    package let tokenTable: String?
    /// What reads all fields.
    package let allFields: ReadPlan

    private let dialect: any SQLDialect
    private let positions: [String: Int]
    // Pages of one query come one by one, and should share their layout.
    private let partialPlans = Mutex<[[String]: ReadPlan]>([:])

    package init(
        id: Int64,
        name: String,
        table: String,
        fields: [SQLField],
        hiddenFields: [SQLField] = [],
        indexes: Set<String>,
        dialect: any SQLDialect
    ) {
        self.id = id
        self.name = name
        self.table = table
        self.fields = fields
        self.hiddenFields = hiddenFields
        self.indexes = indexes
        self.dialect = dialect
        let tokenTable = Self.tokenTable(of: table)
        self.tokenTable = indexes.contains(tokenTable) ? tokenTable : nil
        allFields = ReadPlan(recordType: name, fields: fields, dialect: dialect)
        positions = Dictionary(fields.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The name that the table of the words has, also among the indexes.
    static func tokenTable(of table: String) -> String { "_\(table)_tokens" }

    /// The field of a name, if the schema knows it.
    package func field(_ name: String) -> SQLField? {
        positions[name].map { fields[$0] }
    }

    /// What reads these fields; all if nil. Names that the schema doesn't know are absent in the records.
    package func readPlan(_ desiredFields: [String]?) -> ReadPlan {
        guard let desiredFields else { return allFields }
        return partialPlans.withLock { plans in
            if let plan = plans[desiredFields] { return plan }
            // The queries of an app are few; a program that makes up field lists must not fill the memory.
            if plans.count >= 32 { plans.removeAll() }
            var seen: Set<String> = []
            let fields = desiredFields.filter { seen.insert($0).inserted }.compactMap(field)
            let plan = ReadPlan(recordType: self.name, fields: fields, dialect: dialect)
            plans[desiredFields] = plan
            return plan
        }
    }

    /// The record type with other fields or indexes.
    package func changed(fields: [SQLField]? = nil, indexes: Set<String>? = nil) -> SQLRecordType {
        SQLRecordType(
            id: id,
            name: name,
            table: table,
            fields: fields ?? self.fields,
            hiddenFields: hiddenFields,
            indexes: indexes ?? self.indexes,
            dialect: dialect
        )
    }
}
