import CloudRecords

extension SchemaEditor {
    /// Makes what the database lacks of a schema; in production all of it is deployed.
    ///
    /// - Throws: ``CloudError/Code/invalidArguments`` naming type and field for illegal names, for a field that has
    ///   another type, and for an index on a field that does not exist or has no order.
    func extend(by wanted: CloudSchema) throws {
        for recordType in wanted.recordTypes { try check(recordType) }
        for recordType in wanted.recordTypes { try make(recordType) }
    }

    /// Makes all types and fields known in production.
    func deployAll() throws {
        let types = try connection.run("UPDATE \"_record_types\" SET \"is_deployed\" = 1 WHERE \"is_deployed\" = 0")
        let fields = try connection.run("UPDATE \"_fields\" SET \"is_deployed\" = 1 WHERE \"is_deployed\" = 0")
        if types + fields > 0 { countUp() }
    }

    private func make(_ wanted: CloudRecordType) throws {
        let existing = schema.recordTypes[wanted.name]
        let fields = wanted.fields.sorted { $0.key < $1.key }.map { (name: $0.key, type: $0.value) }
        let newFields = fields.filter { existing?.field($0.name) == nil }
        let elementTypes = wanted.fields.filter { name, type in
            existing?.field(name)?.type == .list(of: nil) && type != .list(of: nil)
        }
        if let existing, !elementTypes.isEmpty { _ = try setElementTypes(elementTypes, of: existing) }
        if existing == nil || !newFields.isEmpty { try add(newFields, to: wanted.name) }
        guard let recordType = schema.recordTypes[wanted.name] else { return }
        for index in wanted.indexes.sorted(by: { $0.description < $1.description }) {
            if let definition = recordType.definition(of: index) {
                try addIndex(definition, to: recordType)
            } else {
                try addTokens(to: recordType)
            }
        }
        if environment == .production { try deploy(recordType, wanted.fields.keys.sorted()) }
    }

    private func deploy(_ recordType: SQLRecordType, _ fields: [String]) throws {
        var count = try connection.run(
            "UPDATE \"_record_types\" SET \"is_deployed\" = 1 WHERE \"id\" = ?1 AND \"is_deployed\" = 0",
            [.integer(recordType.id)]
        )
        for field in fields {
            count += try connection.run(
                """
                UPDATE "_fields" SET "is_deployed" = 1 \
                WHERE "type_id" = ?1 AND "name" = ?2 AND "is_deployed" = 0
                """,
                [.integer(recordType.id), .text(field)]
            )
        }
        if count > 0 { countUp() }
    }

    private func check(_ wanted: CloudRecordType) throws {
        if let violation = NameRule.violation(ofIdentifier: wanted.name) {
            throw CloudError(
                .invalidArguments,
                "The record type \(NameRule.quoted(wanted.name)) \(violation.reason).",
                remedy: violation.remedy
            )
        }
        let existing = schema.recordTypes[wanted.name]
        for (name, type) in wanted.fields.sorted(by: { $0.key < $1.key }) {
            try check(name, type, of: wanted.name)
            guard let known = existing?.field(name)?.type, !known.accepts(type) else { continue }
            throw CloudError(
                .invalidArguments,
                "Field \(name) of record type \(wanted.name) can't become \(type): it exists as \(known).",
                remedy: "A field keeps its type; give the new one another name.",
                field: name
            )
        }
        for index in wanted.indexes {
            try index.check(subject: "record type \(wanted.name)") { wanted.fields[$0] ?? existing?.field($0)?.type }
        }
    }

    private func check(_ name: String, _ type: CloudFieldType, of recordType: String) throws {
        if let violation = NameRule.violation(ofFieldName: name) {
            throw CloudError(
                .invalidArguments,
                "The field \(NameRule.quoted(name)) of record type \(recordType) \(violation.reason).",
                remedy: violation.remedy,
                field: name
            )
        }
        if case .list(of: .list) = type {
            throw CloudError(
                .invalidArguments,
                "Field \(name) of record type \(recordType) can't be \(type): the elements of a list are no lists.",
                remedy: "Keep nested lists as JSON in a text field.",
                field: name
            )
        }
    }
}
