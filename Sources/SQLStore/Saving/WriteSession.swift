import CloudRecords
import Foundation

/// One write transaction: the schema, which may grow, and the change sequence.
package final class WriteSession {
    let connection: any SQLConnection
    let dialect: any SQLDialect
    let assets: any AssetKeeping
    let editor: SchemaEditor
    /// The first sequence number that the transaction gives out.
    let firstSequence: Int64
    private(set) var nextSequence: Int64
    /// Whether the transaction left content that no record uses.
    private(set) var hasGarbage = false
    /// What follows the transaction's records with the tables of links.
    let links: LinkWriter
    let subscriptions: Subscriptions
    /// The state of the subscriptions before the transaction; 0 if there never was one.
    let subscriptionGeneration: Int64
    /// The date of the last notification that the transaction wrote.
    private var lastNotification: Date?

    init(
        connection: any SQLConnection,
        dialect: any SQLDialect,
        cache: SchemaCache,
        assets: any AssetKeeping,
        environment: SchemaEnvironment,
        subscriptions: Subscriptions
    ) throws {
        self.connection = connection
        self.dialect = dialect
        self.assets = assets
        self.subscriptions = subscriptions
        links = LinkWriter(connection)
        let meta = try StoreTables.meta(connection)
        editor = SchemaEditor(
            schema: try cache.schema(connection, generation: meta.generation),
            environment: environment,
            connection: connection,
            dialect: dialect
        )
        subscriptionGeneration = meta.subscriptions
        firstSequence = meta.nextSequence
        nextSequence = meta.nextSequence
    }

    var schema: SQLSchema { editor.schema }

    /// What reads inside this transaction.
    var reading: ReadSession {
        ReadSession(
            connection: connection,
            schema: editor.schema,
            nextSequence: nextSequence,
            dialect: dialect,
            assets: assets
        )
    }

    /// Makes what queries of a record type need.
    func make(_ need: IndexNeed, for name: String) throws {
        guard let recordType = schema.recordTypes[name] else { return }
        switch need {
        case .columns(let index): try editor.addIndex(index, to: recordType)
        case .tokens: try editor.addTokens(to: recordType)
        }
    }

    /// The next number of the database's change sequence, which is used up when something is written with it.
    func takeSequence() throws -> Int64 {
        let (next, isSpent) = nextSequence.addingReportingOverflow(1)
        guard !isSpent else {
            throw CloudError(
                .internalError,
                "The change sequence of the database is at its end.",
                remedy: "Another tool must have changed the store's own tables; restore a backup."
            )
        }
        defer { nextSequence = next }
        return nextSequence
    }

    /// Notes that the transaction writes notifications.
    func noteNotification(_ date: Date) { lastNotification = date }

    /// Writes down the sequence and the schema's generation, before the commit.
    func finish() throws {
        hasGarbage = try links.finish(takeSequence)
        if let lastNotification { try finishNotifications(lastNotification) }
        guard nextSequence != firstSequence || editor.hasChanges else { return }
        let statement = try connection.storeStatements.statement(.metaUpdate, on: connection)
        defer { statement.reset() }
        try statement.bind(nextSequence, at: 1)
        try statement.bind(editor.generation, at: 2)
        _ = try statement.run()
    }
}
