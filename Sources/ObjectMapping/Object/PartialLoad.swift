import CloudRecords

/// An object of which only some fields were loaded: the other properties have their initial values.
struct PartialLoad {
    /// The names of the fields that were loaded, or saved since.
    var loaded: Set<String>
    /// All fields as the object had them then.
    let fields: RecordFields
}

extension CloudDataObject {
    /// Maps the object to a record that is to be saved.
    ///
    /// Fields that were not loaded are absent, so that what is stored is left alone, unless their property was changed.
    ///
    /// - Throws: What ``toRecord()`` throws.
    package func recordForSaving() throws -> CloudRecord {
        var record = try toRecord()
        guard let partialLoad else { return record }
        for (index, name) in record.layout.names.enumerated()
        where !partialLoad.loaded.contains(name) && record.fields[index] == partialLoad.fields[index] {
            record.fields[index] = .absent
        }
        return record
    }
}
