import CloudRecords
import Foundation

/// The store's logic over any SQL engine: what SQLite and PostgreSQL share.
package final class SQLRecordStore: CloudStore {
    package let capabilities: CloudCapabilities
    package let driver: any SQLDriver
    private let assets: any AssetKeeping
    private let cache: SchemaCache
    private let userRecordID: CloudRecordID
    private let clock: @Sendable () -> Date

    /// Makes a store over a database whose own tables exist, see ``StoreTables/prepare(_:)``.
    package init(
        driver: any SQLDriver,
        assets: any AssetKeeping,
        userRecordID: CloudRecordID,
        capabilities: CloudCapabilities,
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.driver = driver
        self.assets = assets
        self.userRecordID = userRecordID
        self.capabilities = capabilities
        self.clock = clock
        cache = SchemaCache(dialect: driver.dialect)
    }

    package func currentUserRecordID() async throws -> CloudRecordID { userRecordID }

    package func fetch(
        _ recordIDs: [CloudRecordID],
        desiredFields: [String]?
    ) async throws -> [Result<CloudRecord, CloudError>] {
        if recordIDs.isEmpty { return [] }
        return try await read { try $0.fetch(recordIDs, desiredFields: desiredFields) }
    }

    package func page(_ query: CloudQuery, after cursor: CloudCursor?, limit: Int) async throws -> CloudPage {
        guard limit >= 1 else {
            throw CloudError(
                .invalidArguments,
                "A page of \(limit) records can't be read.",
                remedy: "Ask for 1 or more."
            )
        }
        let request = try PageRequest(query, after: cursor, limit: limit)
        let capabilities = capabilities
        var needsIndexes = true
        while true {
            let isAsking = needsIndexes
            let outcome = try await read {
                try PageReader(session: $0, request: request, capabilities: capabilities, needsIndexes: isAsking).page()
            }
            switch outcome {
            case .page(let page): return page
            case .need(let need):
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
        let prepared = try await batch.keepingAssets(assets)
        let userRecordID = userRecordID
        let clock = clock
        do {
            return try await write { session in
                try prepared.run(session, userRecordID: userRecordID, clock: clock())
            }
        } catch let failure as AtomicFailure {
            return failure.result
        }
    }

    package func zones() async throws -> [CloudZoneID] {
        try await read { session in session.schema.zonesByID.sorted { $0.key < $1.key }.map(\.value) }
    }

    package func saveZone(_ zoneID: CloudZoneID) async throws {
        try RecordValidator.validate(zoneID)
        try await write { try $0.editor.addZone(zoneID) }
    }

    package func close() async {
        await driver.close()
    }

    // MARK: Transactions

    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (ReadSession) throws -> Value
    ) async throws -> Value {
        let (cache, dialect, assets) = (cache, driver.dialect, assets)
        return try await driver.read { connection in
            let meta = try StoreTables.meta(connection)
            return try body(
                ReadSession(
                    connection: connection,
                    schema: try cache.schema(connection, generation: meta.generation),
                    dialect: dialect,
                    assets: assets
                )
            )
        }
    }

    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (WriteSession) throws -> Value
    ) async throws -> Value {
        let (cache, dialect, assets) = (cache, driver.dialect, assets)
        let (value, schema) = try await driver.write { connection in
            let session = try WriteSession(connection: connection, dialect: dialect, cache: cache, assets: assets)
            let value = try body(session)
            try session.finish()
            return (value, session.schema)
        }
        // Only now that it is committed may others take the grown schema for the database's.
        cache.publish(schema)
        return value
    }
}
