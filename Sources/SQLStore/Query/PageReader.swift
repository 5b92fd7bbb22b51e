import CloudRecords

/// Reads one page of a query: a look into an index for each stretch of the result, until the page is full.
struct PageReader {
    enum Outcome: Sendable {
        case page(CloudRows)
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
            return .page(CloudRows(CloudPage(records: [], cursor: nil)))
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
        case .drive(let drive, let matches):
            let query = try translation.pages(drive)
            if !drive.followsOrder, request.position == nil, matches <= request.limit,
                let rows = try readUnsorted(query)
            {
                return .page(rows)
            }
            return .page(try read(query, segments))
        }
    }

    /// Reads a result that fits into a page and sorts it, which takes less than letting the engine sort whole rows; nil
    /// if the rows don't tell their order.
    private func readUnsorted(_ query: PageQuery) throws -> CloudRows? {
        guard let sortKeys = query.sortKeys else { return nil }
        let (sql, values) = query.unsorted(limit: request.limit)
        guard values.count <= session.dialect.maximumParameters else { return nil }
        let statement = try session.connection.statement(sql)
        defer { statement.reset() }
        for (index, value) in values.enumerated() {
            try statement.bind(value, at: index + 1)
        }
        var rows = RecordRowBuffer(layout: query.plan.layout, rows: min(request.limit, 32))
        _ = try statement.readRows(query.plan, upTo: request.limit, into: &rows, assets: session.assets)
        return rows.sort(by: sortKeys) ? CloudRows(rows.finish(zone: session.schema.zoneID), cursor: nil) : nil
    }

    private func read(_ query: PageQuery, _ segments: [KeysetSegment?]) throws -> CloudRows {
        var rows = RecordRowBuffer(layout: query.plan.layout, rows: min(request.limit, 32))
        var end = End()
        for segment in segments where !end.hasMore {
            let missing = request.limit - rows.count
            if missing >= RowWalk.shortest, segment?.equal.isEmpty ?? true, let walk = query.walk, walk.isWorthTrying {
                let start = rows.count
                if let found = try self.walk(walk, query, after: segment?.bound, upTo: missing, into: &rows) {
                    end = found
                    continue
                }
                walk.giveUp()
                rows.removeRows(from: start)
            }
            end = try read(query, segment, upTo: missing, after: end, into: &rows)
        }
        return CloudRows(
            rows.finish(zone: session.schema.zoneID),
            cursor: end.hasMore
                ? CloudCursor(queryFingerprint: request.fingerprint, position: PagePosition.encode(end.position))
                : nil
        )
    }

    /// Where a page ends.
    private struct End {
        /// The values of the sort columns of the last record, when the page is full.
        var position: [SQLValue] = []
        var hasMore = false
    }

    /// Reads at most so many rows of a stretch; none if the page is full, to see only whether there are more.
    private func read(
        _ query: PageQuery,
        _ segment: KeysetSegment?,
        upTo missing: Int,
        after end: End,
        into rows: inout RecordRowBuffer
    ) throws -> End {
        // One row more than the page holds shows whether there is more.
        let limit = missing.addingReportingOverflow(1)
        guard
            let (sql, values) = try query.statement(segment, limit: limit.overflow ? missing : limit.partialValue)
        else { return end }
        let statement = try session.connection.statement(sql)
        defer { statement.reset() }
        for (index, value) in values.enumerated() {
            try statement.bind(value, at: index + 1)
        }
        var end = end
        if missing > 0 {
            let count = try statement.readRows(query.plan, upTo: missing, into: &rows, assets: session.assets)
            guard count == missing else { return end }
            end.position = position(statement, query)
        }
        end.hasMore = try statement.step()
        return end
    }

    /// The values of the sort columns in the row at which a statement stands.
    private func position(_ statement: any SQLStatement, _ query: PageQuery) -> [SQLValue] {
        var position = query.sortColumnPositions.dropLast().map { $0.map(statement.value(at:)) ?? .null }
        if let zone = query.sortColumnPositions.last ?? nil {
            position.append(.text(ZoneOrder.text(of: session.schema.zoneID(statement.integer(at: zone)))))
        }
        return position
    }

    /// Reads at most so many rows after a date by a walk; nil if that does not give the order.
    private func walk(
        _ walk: RowWalk,
        _ query: PageQuery,
        after date: SQLValue?,
        upTo missing: Int,
        into rows: inout RecordRowBuffer
    ) throws -> End? {
        var first: Int64?
        let (sql, parameters) = walk.first(after: date)
        try session.connection.forEachRow(sql, parameters) { first = $0.integer(at: 0) }
        guard let first else { return End() }
        let statement = try session.connection.statement(walk.rows)
        defer { statement.reset() }
        try statement.bind(first, at: 1)
        try statement.bind(Int64(missing), at: 2)
        let start = rows.count
        let count = try statement.readRows(query.plan, upTo: missing, into: &rows, assets: session.assets)
        guard let last = rows.lastDate(from: start, isAscending: walk.isAscending) else { return nil }
        var (counted, hasMore): (Int64, Bool) = (0, false)
        let check = walk.check(after: date, upTo: last)
        try session.connection.forEachRow(check.sql, check.parameters) { row in
            (counted, hasMore) = (row.integer(at: 0), row.integer(at: 1) != 0)
        }
        guard counted == count, count == missing || !hasMore else { return nil }
        return End(position: count == missing ? position(statement, query) : [], hasMore: hasMore)
    }
}

extension KeysetSegment {
    /// The value after which the stretch begins.
    fileprivate var bound: SQLValue? {
        switch range {
        case .greater(let value), .less(let value): value
        case .hasValue, .isNull: nil
        }
    }
}

extension RecordRowBuffer {
    /// The date of creation of the last row, if the dates from a row on strictly follow each other.
    fileprivate func lastDate(from start: Int, isAscending: Bool) -> Double? {
        guard start < count else { return nil }
        var last = isAscending ? -Double.infinity : Double.infinity
        for index in start..<count {
            let cell = row(index)[RecordRows.Head.created]
            guard cell.kind == .date, isAscending ? cell.double > last : cell.double < last else { return nil }
            last = cell.double
        }
        return last
    }
}
