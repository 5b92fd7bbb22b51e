import CloudKitDao

/// Opens a file at the same moment as others, and saves a record.
enum Opening {
    static func run(_ path: String, name: String, gate: String) async throws {
        try Gate.wait(gate)
        let store = try SQLiteStore(path: path)
        var record = CloudRecord(recordType: "Opened", recordID: CloudRecordID(name))
        record["name"] = .string(name)
        guard try await store.saveUnchanged([record]) != nil else { throw Surprise("a new record was changed") }
        await store.close()
    }
}

/// Saves records of new types with new fields, while others do the same with the same and with other names.
package enum Growing {
    package static let typeCount = 5

    static func run(_ path: String, name: String, count: Int, gate: String) async throws {
        try Gate.wait(gate)
        let store = try SQLiteStore(path: path)
        for number in 0..<count {
            let recordID = CloudRecordID("\(name)-\(number)")
            var record = CloudRecord(recordType: "Type\(number % typeCount)", recordID: recordID)
            record["shared\(number)"] = .int64(Int64(number))
            record["only\(name)\(number)"] = .string(name)
            guard try await store.saveUnchanged([record]) != nil else { throw Surprise("a new record was changed") }
        }
    }
}
