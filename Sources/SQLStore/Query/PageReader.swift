import CloudRecords

/// Reads one page of a query: a look into an index for each stretch of the result, until the page is full.
struct PageReader {
    enum Outcome: Sendable {
        case page(CloudPage)
        /// The page would need sorting; with this index it doesn't.
        case missingIndex(IndexDefinition)

        var page: CloudPage {
            if case .page(let page) = self { page } else { CloudPage(records: [], cursor: nil) }
        }
    }

    let session: ReadSession
    let request: PageRequest
    let capabilities: CloudCapabilities
    /// Whether a missing index is reported instead of reading without it.
    let needsIndex: Bool

    private var dialect: any SQLDialect { session.dialect }

    func page() throws -> Outcome {
        guard let recordType = session.schema.recordTypes[request.query.recordType] else {
            return .page(CloudPage(records: [], cursor: nil))
        }
        let query = PageQuery(
            recordType: recordType,
            plan: recordType.readPlan(request.query.desiredFields),
            sorting: try SortColumn.columns(request.query.orderBy, recordType, capabilities: capabilities),
            dialect: dialect
        )
        var translator = PredicateTranslator(
            recordType: recordType,
            schema: session.schema,
            dialect: dialect,
            capabilities: capabilities
        )
        var conditions = try translator.conditions(request.query.predicate.node)
        if needsIndex {
            let index = query.index(equal: translator.equalColumns(request.query.predicate.node))
            if !recordType.indexes.contains(index.name(inTable: recordType.table)) { return .missingIndex(index) }
        }
        if let zoneID = request.query.zoneID {
            // A zone that does not exist has no records.
            let zone = session.schema.zone(zoneID) ?? -1
            conditions.append("\(dialect.quoted(SystemColumn.zone.rawValue)) = \(translator.bind(.integer(zone)))")
        }
        return .page(try read(query, conditions, translator.parameters))
    }

    private func read(_ query: PageQuery, _ conditions: [String], _ parameters: [SQLValue]) throws -> CloudPage {
        var segments: [KeysetSegment?] = [nil]
        if let position = request.position {
            guard position.count == query.sorting.count else { throw PagePosition.malformed }
            segments = KeysetSegment.segments(after: position, keys: query.sorting.map(\.key))
        }
        var rows = RowBuffer(assets: session.assets)
        rows.reserve(rows: min(request.limit, 32), fieldsPerRow: query.plan.columns.count)
        var last: [SQLValue] = []
        var hasMore = false
        for segment in segments {
            // One row more than the page holds shows whether there is more.
            let missing = request.limit - rows.count
            let limit = missing.addingReportingOverflow(1)
            guard
                let (sql, values) = query.statement(
                    segment,
                    conditions,
                    parameters,
                    limit: limit.overflow ? missing : limit.partialValue
                )
            else { continue }
            let statement = try session.connection.statement(sql)
            defer { statement.reset() }
            for (index, value) in values.enumerated() {
                try statement.bind(value, at: index + 1)
            }
            if missing > 0 {
                let count = try statement.readRows(query.plan, upTo: missing, into: &rows)
                guard count == missing else { continue }
                last = query.sortColumnPositions.map { $0.map(statement.value(at:)) ?? .null }
            }
            hasMore = try statement.step()
            if hasMore { break }
        }
        let records = rows.records(rows.count, layout: query.plan.layout, schema: session.schema)
        return CloudPage(
            records: records,
            cursor: hasMore
                ? CloudCursor(queryFingerprint: request.fingerprint, position: PagePosition.encode(last))
                : nil
        )
    }
}
