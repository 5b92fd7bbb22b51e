import CloudRecords

/// Reads one page of a query: a look into an index for each stretch of the result, until the page is full.
struct PageReader {
    enum Outcome: Sendable {
        case page(CloudPage)
        /// Something is missing by which the page is found.
        case need(IndexNeed)
    }

    let session: ReadSession
    let request: PageRequest
    let capabilities: CloudCapabilities
    /// Whether a missing index is reported instead of reading without it.
    let needsIndexes: Bool

    private var dialect: any SQLDialect { session.dialect }

    func page() throws -> Outcome {
        guard let recordType = session.schema.recordTypes[request.query.recordType] else {
            try check(nil)
            return .page(CloudPage(records: [], cursor: nil))
        }
        try check(recordType)
        let node = request.query.predicate.node
        if node.searchesTokens, recordType.tokenTable == nil, capabilities.supported.contains(.tokenSearch) {
            return .need(.tokens)
        }
        var translator = PredicateTranslator(
            recordType: recordType,
            schema: session.schema,
            dialect: dialect,
            capabilities: capabilities
        )
        let conjuncts = QueryDrive.conjuncts(node)
        let sorting = try SortColumn.columns(request.query.orderBy, &translator)
        let planner = QueryPlanner(
            session: session,
            recordType: recordType,
            capabilities: capabilities,
            sorting: sorting,
            conjuncts: conjuncts,
            pageSize: request.limit,
            needsIndexes: needsIndexes
        )
        let drive: QueryDrive
        switch try planner.choose() {
        case .need(let need): return .need(need)
        case .drive(let chosen): drive = chosen
        }
        let query = PageQuery(
            recordType: recordType,
            plan: recordType.readPlan(request.query.desiredFields),
            sorting: sorting,
            followsOrder: drive.followsOrder,
            dialect: dialect
        )
        var conditions: [String] = []
        for (position, conjunct) in conjuncts.enumerated() {
            translator.usesIndexes = drive.drivers.contains(position)
            conditions.append("(\(try translator.sql(conjunct)))")
        }
        if let zoneID = request.query.zoneID {
            // A zone that does not exist has no records.
            let zone = session.schema.zone(zoneID) ?? -1
            conditions.append(
                "\(dialect.unindexed(dialect.quoted(SystemColumn.zone.rawValue))) = \(translator.bind(.integer(zone)))"
            )
        }
        return .page(try read(query, conditions, translator.parameters))
    }

    /// Checks the query against the fields that there are. One that no record has yet may be of any type.
    private func check(_ recordType: SQLRecordType?) throws {
        let check = QueryCheck(subject: "record type \(request.query.recordType)") { name in
            recordType?.field(name).map { .typed($0.type) } ?? .untyped
        }
        try check.check(request.query)
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
