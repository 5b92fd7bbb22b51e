import CloudRecords

extension SQLRecordStore {
    package func schema() async throws -> CloudSchema {
        try await read { session in
            CloudSchema(recordTypes: session.schema.recordTypes.values.map(\.cloudRecordType))
        }
    }

    package func extendSchema(_ schema: CloudSchema) async throws {
        if schema.recordTypes.isEmpty { return }
        try await changeSchema { try $0.extend(by: schema) }
    }

    package func deploySchema() async throws {
        try await changeSchema { try $0.deployAll() }
    }

    /// Changes the schema in a write transaction, which sees all of it, also what is not deployed.
    private func changeSchema(_ body: @escaping @Sendable (SchemaEditor) throws -> Void) async throws {
        let (dialect, assets, environment) = (driver.dialect, assets, environment)
        let subscriptions = subscriptions
        let whole = SchemaCache(dialect: dialect, environment: .development)
        // The store's own cache is not told: the next transaction finds a new generation and reads what it may see.
        try await driver.write { connection in
            let session = try WriteSession(
                connection: connection,
                dialect: dialect,
                cache: whole,
                assets: assets,
                environment: environment,
                subscriptions: subscriptions
            )
            try body(session.editor)
            try session.finish()
        }
    }
}

extension CloudError {
    static func wordsMissing(_ recordType: String) -> CloudError {
        CloudError(
            .invalidArguments,
            "Record type \(recordType) can't be searched for words: their index is not there, and production makes none.",
            remedy: "Deploy the index first: add .words to the class's indexes and call createRecordTypes(_:), "
                + "or to the record type's and call extendSchema(_:)."
        )
    }
}
