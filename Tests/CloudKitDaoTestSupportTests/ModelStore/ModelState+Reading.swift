import CloudKitDao
import Foundation

extension ModelState {
    // MARK: Queries

    mutating func page(_ query: CloudQuery, after cursor: CloudCursor?, limit: Int) throws -> CloudPage {
        let types = fields[query.recordType]
        try QueryCheck(subject: "record type \(query.recordType)") { name in
            types?[name].map { .typed($0) } ?? .untyped
        }.check(query)
        let fingerprint = try fingerprint(of: query)
        let predicate = try CompiledPredicate(query.predicate)
        let order = RecordOrder(query.orderBy)
        var found = records.values.map(\.record).filter { record in
            record.recordType == query.recordType && predicate.matches(record)
                && (query.zoneID == nil || query.zoneID == record.recordID.zoneID)
        }
        if let cursor {
            guard cursor.queryFingerprint == fingerprint, let last = cursors[cursor.position] else {
                throw CloudError(.invalidArguments, "The cursor is not of this query.")
            }
            found.removeAll { !order.precedes(last, $0) }
        }
        found.sort(by: order.precedes)
        guard found.count > limit else {
            return CloudPage(records: found.map { $0.keeping(query.desiredFields) }, cursor: nil)
        }
        let position = Data(UUID().uuidString.utf8)
        cursors[position] = found[limit - 1]
        return CloudPage(
            records: found.prefix(limit).map { $0.keeping(query.desiredFields) },
            cursor: CloudCursor(queryFingerprint: fingerprint, position: position)
        )
    }

    private func fingerprint(of query: CloudQuery) throws -> String {
        var query = query
        query.desiredFields = nil
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(query), as: UTF8.self)
    }

    // MARK: Changes

    private struct Token: Codable {
        let databaseID: UUID
        let sequence: Int
    }

    func changes(since token: CloudChangeToken?, in zoneID: CloudZoneID?, limit: Int) throws -> CloudChanges {
        let start = try token.map { try sequence(of: $0) } ?? 0
        let changed =
            records.map { (recordID: $0.key, sequence: $0.value.sequence) }
            + deletions.map { (recordID: $0.key, sequence: $0.value.sequence) }
        let sought = changed.filter { change in
            change.sequence > start && (zoneID == nil || zoneID == change.recordID.zoneID)
        }.sorted { $0.sequence < $1.sequence }
        let page = sought.prefix(limit)
        let position = Token(databaseID: databaseID, sequence: page.last?.sequence ?? start)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return CloudChanges(
            saved: page.compactMap { records[$0.recordID]?.record },
            deleted: page.compactMap { change in
                deletions[change.recordID].map { (change.recordID, $0.recordType) }
            },
            token: CloudChangeToken(position: try encoder.encode(position)),
            moreComing: sought.count > page.count
        )
    }

    private func sequence(of token: CloudChangeToken) throws -> Int {
        let decoded = try? JSONDecoder().decode(Token.self, from: token.position)
        guard let decoded, decoded.databaseID == databaseID else {
            throw CloudError(.changeTokenExpired, "The token is of another database.")
        }
        return decoded.sequence
    }

    // MARK: Schema

    var schema: CloudSchema {
        CloudSchema(
            recordTypes: fields.map { name, fields in
                CloudRecordType(name: name, fields: fields, indexes: indexes[name] ?? [])
            }
        )
    }

    mutating func extend(_ schema: CloudSchema) throws {
        for type in schema.recordTypes {
            try RecordValidator.validate(recordType: type.name)
            var types = fields[type.name] ?? [:]
            for (name, fieldType) in type.fields {
                try RecordValidator.validate(fieldName: name)
                if let known = types[name], known != fieldType {
                    throw CloudError.problem(
                        .invalidArguments,
                        "\(name) of \(type.name) is \(known), not \(fieldType).",
                        nil,
                        name
                    )
                }
                types[name] = fieldType
            }
            for name in type.indexes.flatMap(\.fieldNames)
            where types[name] == nil && SystemField(rawValue: name) == nil {
                throw CloudError(.invalidArguments, "\(type.name) has no field \(name) to index.", field: name)
            }
            fields[type.name] = types
            indexes[type.name, default: []].formUnion(type.indexes)
        }
    }
}

extension CloudIndex {
    fileprivate var fieldNames: [String] {
        if case .ordered(let equal, let sorted) = self { equal + sorted.map(\.field) } else { [] }
    }
}
