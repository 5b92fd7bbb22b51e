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
    let translations: TranslationCache
    /// Whether a missing index is reported instead of reading without it.
    let needsIndexes: Bool

    func page() throws -> Outcome {
        guard let recordType = session.schema.recordTypes[request.query.recordType] else {
            try QueryTranslation.check(request.query, nil)
            return .page(CloudPage(records: [], cursor: nil))
        }
        let translation = try translations.translation(request, generation: session.schema.generation) {
            try QueryTranslation(
                request.query,
                recordType: recordType,
                schema: session.schema,
                capabilities: capabilities,
                dialect: session.dialect
            )
        }
        let node = request.query.predicate.node
        if recordType.tokenTable == nil, node.searchesTokens, capabilities.supported.contains(.tokenSearch) {
            return .need(.tokens)
        }
        var segments: [KeysetSegment?] = [nil]
        if let position = request.position {
            guard position.count == translation.sorting.count, case .text? = position.last else {
                throw PagePosition.malformed
            }
            segments = KeysetSegment.segments(after: position, keys: translation.sorting.map(\.key))
        }
        let planner = QueryPlanner(
            session: session,
            translation: translation,
            pageSize: request.limit,
            segment: segments.last ?? nil,
            needsIndexes: needsIndexes
        )
        switch try planner.choose() {
        case .need(let need): return .need(need)
        case .drive(let drive): return .page(try read(translation.pages(drive), segments))
        }
    }

    private func read(_ query: PageQuery, _ segments: [KeysetSegment?]) throws -> CloudPage {
        var rows = RowBuffer(assets: session.assets)
        rows.reserve(rows: min(request.limit, 32), fieldsPerRow: query.plan.columns.count)
        var last: [SQLValue] = []
        var hasMore = false
        for segment in segments {
            // One row more than the page holds shows whether there is more.
            let missing = request.limit - rows.count
            let limit = missing.addingReportingOverflow(1)
            guard
                let (sql, values) = try query.statement(
                    segment,
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
                last = query.sortColumnPositions.dropLast().map { $0.map(statement.value(at:)) ?? .null }
                if let zone = query.sortColumnPositions.last ?? nil {
                    last.append(.text(ZoneOrder.text(of: session.schema.zoneID(statement.integer(at: zone)))))
                }
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
