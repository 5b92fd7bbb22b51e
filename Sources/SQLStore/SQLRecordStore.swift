import CloudRecords
import Foundation

/// The store's logic over any SQL engine: what SQLite and PostgreSQL share.
package final class SQLRecordStore: CloudStore {
    package let capabilities: CloudCapabilities
    package let driver: any SQLDriver
    let environment: SchemaEnvironment
    let assets: any AssetKeeping
    let collector: AssetCollector
    let clock: @Sendable () -> Date
    private let reads = ActiveReads()
    private let cache: SchemaCache
    private let translations = TranslationCache()
    private let userRecordID: CloudRecordID
    let subscriptions: Subscriptions
    let feed: NotificationFeed

    /// Makes a store over a database whose own tables exist, see ``StoreTables/prepare(_:)``.
    ///
    /// - Parameter client: Who the store is among the clients of the database.
    package init(
        driver: any SQLDriver,
        assets: any AssetKeeping,
        userRecordID: CloudRecordID,
        capabilities: CloudCapabilities,
        environment: SchemaEnvironment = .development,
        client: SubscriptionClient,
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.driver = driver
        self.assets = assets
        self.userRecordID = userRecordID
        self.capabilities = capabilities
        self.clock = clock
        self.environment = environment
        cache = SchemaCache(dialect: driver.dialect, environment: environment)
        collector = AssetCollector(assets: assets, reads: reads)
        subscriptions = Subscriptions(client: client)
        feed = NotificationFeed(of: client, driver)
        assets.observeReads { [reads] in reads.oldest }
        assets.onRelease { [weak self] content in self?.collectLater(afterReleasing: content) }
    }

    package func currentUserRecordID() async throws -> CloudRecordID { userRecordID }

    package func fetch(
        _ recordIDs: [CloudRecordID],
        desiredFields: [String]?
    ) async throws -> [Result<CloudRecord, CloudError>] {
        try await fetchRows(recordIDs, desiredFields: desiredFields).results(of: recordIDs)
    }

    package func fetchRows(
        _ recordIDs: [CloudRecordID],
        desiredFields: [String]?
    ) async throws -> CloudFetchedRows {
        if recordIDs.isEmpty { return CloudFetchedRows([]) }
        return try await read(atOnce: recordIDs.count <= Self.shortCount) {
            try $0.fetch(recordIDs, desiredFields: desiredFields)
        }
    }

    package func page(_ query: CloudQuery, after cursor: CloudCursor?, limit: Int) async throws -> CloudPage {
        try await rows(query, after: cursor, limit: limit).page
    }

    package func rows(_ query: CloudQuery, after cursor: CloudCursor?, limit: Int) async throws -> CloudRows {
        guard limit >= 1 else {
            throw CloudError(
                .invalidArguments,
                "A page of \(limit) records can't be read.",
                remedy: "Ask for 1 or more."
            )
        }
        let request = try PageRequest(query, after: cursor, limit: limit)
        let (capabilities, translations) = (capabilities, translations)
        var needsIndexes = environment == .development
        while true {
            let isAsking = needsIndexes
            let outcome = try await read {
                try PageReader(
                    session: $0,
                    request: request,
                    capabilities: capabilities,
                    translations: translations,
                    needsIndexes: isAsking
                ).page()
            }
            switch outcome {
            case .page(let rows): return rows
            case .need(let need):
                guard environment == .development else { throw CloudError.wordsMissing(query.recordType) }
                do {
                    try await write { try $0.make(need, for: query.recordType) }
                } catch let error as CloudError where error.code != .operationCancelled && need != .tokens {
                    // A database that can't be written to, full or busy as it is, can still be read: without the
                    // index it only takes longer, and the next query tries again.
                    needsIndexes = false
                }
            }
        }
    }

    package func modify(_ modification: CloudModification) async throws -> CloudModificationResult {
        let batch = try Batch(modification)
        if batch.isEmpty { return CloudModificationResult(saved: [], deleted: []) }
        while true {
            var attempt = batch
            do {
                try await attempt.keepAssets(assets)
                return try await write(atOnce: batch.isShort) { [clock, attempt] session in
                    try attempt.run(session, writer: self.writer(session, modification.savePolicy, clock()))
                }
            } catch let failure as AtomicFailure {
                await discard(attempt.keptContents)
                return failure.result
            } catch is ContentVanished where !Task.isCancelled {
                // Another process removed what nobody used when it was looked for: it is taken once more.
                continue
            } catch {
                await discard(attempt.keptContents)
                throw CloudError(error)
            }
        }
    }

    private func writer(_ session: WriteSession, _ policy: CloudSavePolicy, _ date: Date) throws -> BatchWriter {
        try BatchWriter(session: session, policy: policy, userRecordID: userRecordID, clock: date)
    }

    package func zones() async throws -> [CloudZoneID] {
        try await read { session in session.schema.zones.sorted { $0.value < $1.value }.map(\.key) }
    }

    package func saveZone(_ zoneID: CloudZoneID) async throws {
        try RecordValidator.validate(zoneID)
        try await write { try $0.editor.addZone(zoneID) }
    }

    package func deleteZone(_ zoneID: CloudZoneID) async throws {
        try RecordValidator.validate(zoneID)
        guard !zoneID.isDefault else {
            throw CloudError(
                .invalidArguments,
                "The default zone can't be deleted.",
                remedy: "Delete its records, or keep records that are to go together in a zone of their own."
            )
        }
        try await write { [clock] session in
            guard let zone = session.schema.zone(zoneID) else { return }
            try self.writer(session, .ifServerRecordUnchanged, clock()).deleteRecords(inZone: zone)
            try session.editor.removeZone(zoneID)
        }
    }

    package func close() async {
        feed.close()
        await driver.close()
    }

    // MARK: Transactions

    /// How many records are few, so that the work on them is short.
    static let shortCount = 16

    /// Reads in one transaction.
    ///
    /// - Parameter atOnce: Whether the work is short, see ``SQLDriver/readAtOnce(_:)``.
    package func read<Value: Sendable>(
        atOnce: Bool = false,
        _ body: @escaping @Sendable (ReadSession) throws -> Value
    ) async throws -> Value {
        let (cache, dialect, assets, reads) = (cache, driver.dialect, assets, reads)
        let run = { @Sendable (connection: any SQLConnection) throws -> Value in
            let read = reads.begin()
            var state: Int64?
            defer {
                let isLast = reads.end(read)
                if isLast, let state, assets.holdsNothing { assets.acknowledge(state) }
                self.collectLater(afterReleasing: nil)
            }
            let meta = try StoreTables.meta(connection)
            state = meta.nextSequence
            reads.note(meta.nextSequence, for: read)
            return try body(
                ReadSession(
                    connection: connection,
                    schema: try cache.schema(connection, generation: meta.generation),
                    nextSequence: meta.nextSequence,
                    dialect: dialect,
                    assets: assets
                )
            )
        }
        return try await atOnce ? driver.readAtOnce(run) : driver.read(run)
    }

    /// Writes in one transaction.
    ///
    /// - Parameter atOnce: Whether the work is short, see ``SQLDriver/writeAtOnce(_:)``.
    package func write<Value: Sendable>(
        atOnce: Bool = false,
        _ body: @escaping @Sendable (WriteSession) throws -> Value
    ) async throws -> Value {
        let (value, hasGarbage) = try await writeKeepingGarbage(atOnce: atOnce, body)
        if hasGarbage { await collectNow() }
        return value
    }

    func writeKeepingGarbage<Value: Sendable>(
        atOnce: Bool = false,
        _ body: @escaping @Sendable (WriteSession) throws -> Value
    ) async throws -> (Value, hasGarbage: Bool) {
        let (cache, dialect, assets, environment) = (cache, driver.dialect, assets, environment)
        let subscriptions = subscriptions
        let run = { @Sendable (connection: any SQLConnection) throws -> (Value, SQLSchema, Bool) in
            let session = try WriteSession(
                connection: connection,
                dialect: dialect,
                cache: cache,
                assets: assets,
                environment: environment,
                subscriptions: subscriptions
            )
            let value = try body(session)
            try session.finish()
            return (value, session.schema, session.hasGarbage)
        }
        let (value, schema, hasGarbage) = try await atOnce ? driver.writeAtOnce(run) : driver.write(run)
        // Only now that it is committed may others take the grown schema for the database's.
        cache.publish(schema)
        return (value, hasGarbage)
    }
}
