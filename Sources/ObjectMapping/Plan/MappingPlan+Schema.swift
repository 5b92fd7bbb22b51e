import CloudRecords

extension MappingPlan {
    /// The record type that the objects of the class need, with all fields and the declared indexes.
    ///
    /// - Parameter sample: An object of the class, whose values tell the types of fields that declare none.
    /// - Throws: ``CloudError/Code/mappingFailed`` naming class and field if the type of a field is not known,
    ///   ``CloudError/Code/invalidArguments`` if an index is on a field that does not exist or has no order.
    package func recordType(sample: CloudDataObject) throws -> CloudRecordType {
        let indexes = try checkedIndexes(sample: sample)
        return try recordType(layout.names, indexes: indexes, sample: sample)
    }

    /// The part of the record type that the declared indexes are on; nil if there are none.
    package func indexedRecordType(sample: CloudDataObject) throws -> CloudRecordType? {
        let indexes = try checkedIndexes(sample: sample)
        if indexes.isEmpty { return nil }
        let fields = Set(indexes.flatMap(\.keys).map(\.field))
        return try recordType(layout.names.filter(fields.contains), indexes: indexes, sample: sample)
    }

    private func recordType(
        _ names: [String],
        indexes: [CloudIndex],
        sample: CloudDataObject
    ) throws -> CloudRecordType {
        var recordType = CloudRecordType(name: layout.recordType, indexes: Set(indexes))
        for name in names {
            guard let type = try fieldType(name, sample: sample) else {
                throw CloudError(
                    .mappingFailed,
                    "Class \(typeName): the type of field \(name) is not known before its first value.",
                    remedy: "Name the type in the class's fieldRules: .convert(\"…\", to: .string, …).",
                    field: name
                )
            }
            recordType.fields[name] = type
        }
        return recordType
    }

    private func checkedIndexes(sample: CloudDataObject) throws -> [CloudIndex] {
        let indexes = type(of: sample).indexes
        for index in indexes {
            // What has no type yet is named by the error about that.
            try index.check(subject: "class \(typeName)") { name in
                layout.index(of: name).map { layout.types[$0] ?? .string }
            }
        }
        return indexes
    }

    private func fieldType(_ name: String, sample: CloudDataObject) throws -> CloudFieldType? {
        guard let index = layout.index(of: name) else { return nil }
        let declared = layout.types[index]
        if let declared, declared != .list(of: nil) { return declared }
        guard case .value(let value) = try fields(of: sample)[index] else { return declared }
        return value.fieldType
    }
}
