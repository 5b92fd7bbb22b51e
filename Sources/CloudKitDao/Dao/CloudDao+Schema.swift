extension CloudDao {
    /// Makes the record types, fields and indexes that the classes of some objects need, without saving the objects.
    ///
    /// ```swift
    /// print(try await dao.createRecordTypes([Message(), User()]))
    /// ```
    ///
    /// All properties have their fields afterwards, also those that are nil or empty. What exists is left as it is, so
    /// that the call may stand at the start of a program. In production this is how a class's schema is deployed.
    ///
    /// - Parameter objects: An object of each class. Its values only matter for a property with a conversion that
    ///   names no type.
    /// - Returns: The schema of these record types.
    /// - Throws: ``CloudError/Code/invalidArguments`` naming type and field if a field exists with another type, or if
    ///   an index is on no field of its class; ``CloudError/Code/mappingFailed`` if a class can't be mapped. Then
    ///   nothing was made.
    @discardableResult
    public func createRecordTypes(_ objects: [CloudDataObject]) async throws -> CloudSchema {
        try await create(try CloudSchema(of: objects))
    }

    /// Makes the record types of classes, see ``createRecordTypes(_:)``.
    ///
    /// - Parameters:
    ///   - objects: An object of each class.
    ///   - isolation: The actor to call the handlers on: that of the caller.
    ///   - completionHandler: Gets the schema of these record types.
    ///   - errorHandler: Gets the error.
    @discardableResult
    public func createRecordTypes(
        _ objects: [CloudDataObject],
        isolation: isolated (any Actor)? = #isolation,
        completionHandler: @escaping (CloudSchema) -> Void,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        let wanted = Result { try CloudSchema(of: objects) }
        return start(isolation: isolation, errorHandler: errorHandler, completionHandler: completionHandler) {
            try await self.create(try wanted.get())
        }
    }

    /// Returns the record types that the database has, with their fields and indexes; printed, they are in CloudKit's
    /// schema language.
    ///
    /// In production these are those that were deployed. Indexes that queries made are among them.
    public func schema() async throws -> CloudSchema {
        try await store().wrappingErrors { try await $0.schema() }
    }

    /// Returns the record types that the database has, see ``schema()``.
    @discardableResult
    public func schema(
        isolation: isolated (any Actor)? = #isolation,
        completionHandler: @escaping (CloudSchema) -> Void,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        start(isolation: isolation, errorHandler: errorHandler, completionHandler: completionHandler) {
            try await self.schema()
        }
    }

    /// Makes the record types, fields and indexes that the database lacks, and deploys them in production.
    ///
    /// ```swift
    /// try await production.extendSchema(try await development.schema())
    /// ```
    ///
    /// - Throws: ``CloudError/Code/invalidArguments`` naming type and field if a field exists with another type; then
    ///   nothing was made.
    public func extendSchema(_ schema: CloudSchema) async throws {
        try await store().wrappingErrors { try await $0.extendSchema(schema) }
    }

    /// Makes what the database lacks of a schema, see ``extendSchema(_:)``.
    @discardableResult
    public func extendSchema(
        _ schema: CloudSchema,
        isolation: isolated (any Actor)? = #isolation,
        completionHandler: @escaping () -> Void,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        start(isolation: isolation, errorHandler: errorHandler, completionHandler: completionHandler) {
            try await self.extendSchema(schema)
        }
    }

    /// Copies the schema of the development environment to production.
    ///
    /// It can be done again at any time, to deploy what has been added since.
    public func deploySchema() async throws {
        try await store().wrappingErrors { try await $0.deploySchema() }
    }

    /// Copies the schema of the development environment to production, see ``deploySchema()``.
    @discardableResult
    public func deploySchema(
        isolation: isolated (any Actor)? = #isolation,
        completionHandler: @escaping () -> Void,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        start(isolation: isolation, errorHandler: errorHandler, completionHandler: completionHandler) {
            try await self.deploySchema()
        }
    }

    /// Makes the indexes that the classes of objects declare, when objects of a class are first saved, where a schema
    /// grows with what is saved.
    ///
    /// - Throws: ``CloudError/Code/invalidArguments`` naming class and field if an index is on no field of its class.
    func makeIndexes(for objects: [CloudDataObject], in store: any CloudStore) async throws {
        var last: CloudDataObject.Type?
        for object in objects {
            let type = type(of: object)
            guard type != last else { continue }
            last = type
            guard !indexedClasses.withLock({ $0.contains(ObjectIdentifier(type)) }) else { continue }
            // An object that can't be mapped has an error of its own.
            guard let plan = try? MappingPlan.plan(for: object) else { continue }
            let recordType = try plan.indexedRecordType(sample: object)
            if let recordType, store.capabilities.supported.isSuperset(of: [.schema, .schemaGrowth]) {
                try await store.wrappingErrors { try await $0.extendSchema(CloudSchema(recordTypes: [recordType])) }
            }
            indexedClasses.withLock { _ = $0.insert(ObjectIdentifier(type)) }
        }
    }

    private func create(_ wanted: CloudSchema) async throws -> CloudSchema {
        try await extendSchema(wanted)
        let schema = try await schema()
        return CloudSchema(recordTypes: wanted.recordTypes.compactMap { schema[$0.name] })
    }
}

extension CloudSchema {
    /// What the classes of these objects need. Classes that share a record type are taken together.
    fileprivate init(of objects: [CloudDataObject]) throws {
        var recordTypes: [String: CloudRecordType] = [:]
        for object in objects {
            let needed = try MappingPlan.plan(for: object).recordType(sample: object)
            var merged = recordTypes[needed.name] ?? CloudRecordType(name: needed.name)
            for (name, type) in needed.fields {
                if let other = merged.fields[name], !other.accepts(type) {
                    throw CloudError(
                        .invalidArguments,
                        "Field \(name) of record type \(needed.name) is a \(type) in class \(Swift.type(of: object)), "
                            + "but a \(other) in another class of these.",
                        remedy: "Give the properties one type, or one of them another field with the rule .rename.",
                        field: name
                    )
                }
                if merged.fields[name] == nil || merged.fields[name] == .list(of: nil) { merged.fields[name] = type }
            }
            merged.indexes.formUnion(needed.indexes)
            recordTypes[needed.name] = merged
        }
        self.init(recordTypes: Array(recordTypes.values))
    }
}
