import CloudRecords
import Synchronization

/// A query as SQL, for one state of the schema: what all its pages have in common, worked out once.
final class QueryTranslation: Sendable {
    let recordType: SQLRecordType
    let conjuncts: [CloudPredicate.Node]
    let sorting: [SortColumn]
    let zones: ZoneOrder
    let dialect: any SQLDialect
    private let query: CloudQuery
    /// What the conditions are translated with; it has the parameters of the order already.
    private let translator: PredicateTranslator

    private struct Known {
        var pages: [QueryDrive: PageQuery] = [:]
        var counts: [Int: (sql: String, parameters: [SQLValue])?] = [:]
    }

    private let known = Mutex(Known())

    /// - Throws: ``CloudError/Code/invalidArguments`` for a query that doesn't fit the fields,
    ///   ``CloudError/Code/unsupported`` for an order that the store doesn't have.
    init(
        _ query: CloudQuery,
        recordType: SQLRecordType,
        schema: SQLSchema,
        capabilities: CloudCapabilities,
        dialect: any SQLDialect
    ) throws {
        try QueryTranslation.check(query, recordType)
        self.query = query
        self.recordType = recordType
        self.dialect = dialect
        var translator = PredicateTranslator(
            recordType: recordType,
            schema: schema,
            dialect: dialect,
            capabilities: capabilities
        )
        conjuncts = QueryDrive.conjuncts(query.predicate.node.merged)
        zones = ZoneOrder(schema, only: query.zoneID)
        sorting = try SortColumn.columns(query.orderBy, &translator)
        self.translator = translator
    }

    /// Checks the query against the fields that there are. One that no record has yet may be of any type.
    static func check(_ query: CloudQuery, _ recordType: SQLRecordType?) throws {
        let check = QueryCheck(subject: "record type \(query.recordType)") { name in
            recordType?.field(name).map { .typed($0.type) } ?? .untyped
        }
        try check.check(query)
    }

    /// The statements of the pages that something drives.
    func pages(_ drive: QueryDrive) throws -> PageQuery {
        if let pages = known.withLock({ $0.pages[drive] }) { return pages }
        var translator = translator
        // What drives comes first, and reading texts, which costs most, last.
        let positions = conjuncts.indices.sorted { left, right in
            (drive.place(of: left), left) < (drive.place(of: right), right)
        }
        let first = translator.parameters.count
        translator.usesIndexes = true
        let driving = try positions.prefix(drive.drivers.count).map { try translator.sql(conjuncts[$0]) }
        let drivingParameters = Array(translator.parameters[first...])
        translator.usesIndexes = false
        var others = try positions.dropFirst(drive.drivers.count).map { position in
            translator.checksWords = drive.checked.contains(position)
            return try translator.sql(conjuncts[position])
        }
        if let zoneID = query.zoneID {
            // A zone that does not exist has no records.
            let zone = translator.schema.zone(zoneID) ?? -1
            let column = dialect.unindexed(dialect.quoted(SystemColumn.zone.rawValue))
            others.append("\(column) = \(translator.bind(.integer(zone)))")
        }
        // As one condition: the more there are, the fewer rows an engine expects, until it takes the sorting of all
        // for cheaper than following the order.
        let rest = PredicateTranslator.joined(others, "AND").map { "(\($0)) IS TRUE" }
        let pages = PageQuery(
            translation: self,
            plan: recordType.readPlan(query.desiredFields),
            drive: drive,
            condition: PredicateTranslator.joined(driving + [rest].compactMap(\.self), "AND"),
            parameters: translator.parameters,
            driving: (PredicateTranslator.joined(driving, "AND"), drivingParameters)
        )
        known.withLock { $0.pages[drive] = pages }
        return pages
    }

    /// The statement that finds what one condition matches, to be counted; nil if it finds nothing, or is none that
    /// an index finds.
    func matches(_ position: Int) throws -> (sql: String, parameters: [SQLValue])? {
        if let statement = known.withLock({ $0.counts[position] }) { return statement }
        let statement = try makeMatches(conjuncts[position])
        known.withLock { $0.counts[position] = .some(statement) }
        return statement
    }

    private func makeMatches(_ node: CloudPredicate.Node) throws -> (sql: String, parameters: [SQLValue])? {
        var translator = translator
        translator.forgetParameters()
        let table = dialect.quoted(recordType.table)
        let sql: String
        switch node {
        case .tokens(let text):
            guard let search = try translator.tokenSearch(text) else { return nil }
            sql = search
        case .near(let name, let place, let metres):
            guard let field = recordType.field(name) else { return nil }
            let box = translator.box(field, around: place, metres)
            sql = "SELECT 1 FROM \(table) WHERE \(box.joined(separator: " AND "))"
        default:
            sql = "SELECT 1 FROM \(table) WHERE \(try translator.sql(node))"
        }
        return (sql, translator.parameters)
    }

    /// The condition that a row has all words of a text, see ``PredicateTranslator/wordCheck(_:number:)``.
    func wordCheck(_ text: String, number: Int) -> (condition: String, words: String)? {
        translator.wordCheck(text, number: number)
    }
}
