import CloudRecords
import Foundation

/// The rows of a result while they are read: heads in one array, the fields of all rows in another.
package struct RowBuffer {
    /// What a record's row holds besides fields.
    package struct Head {
        package var name: String
        package var zone: Int64
        package var sequence: Int64
        package var created: Date?
        package var modified: Date?
        /// Positions among the buffer's users.
        package var creator: Int
        package var modifier: Int

        package init(
            name: String,
            zone: Int64,
            sequence: Int64,
            created: Date?,
            modified: Date?,
            creator: Int,
            modifier: Int
        ) {
            self.name = name
            self.zone = zone
            self.sequence = sequence
            self.created = created
            self.modified = modified
            self.creator = creator
            self.modifier = modifier
        }
    }

    package let assets: any AssetKeeping
    package private(set) var heads: ContiguousArray<Head> = []
    package var fields: ContiguousArray<FieldState> = []
    private var starts: ContiguousArray<Int> = []
    // Nearly all rows have the same users: their IDs are made once.
    private var users: [CloudRecordID] = []
    private var userTexts: [ContiguousArray<UInt8>] = []
    // Both users of a row together, shared by the rows that have the same.
    private var userPairs: [(creator: Int, modifier: Int, users: RecordUsers)] = []
    private var userPairsOfRows: ContiguousArray<Int> = []

    package init(assets: any AssetKeeping) {
        self.assets = assets
    }

    package var count: Int { heads.count }

    package mutating func reserve(rows: Int, fieldsPerRow: Int) {
        heads.reserveCapacity(rows)
        starts.reserveCapacity(rows)
        userPairsOfRows.reserveCapacity(rows)
        fields.reserveCapacity(rows * fieldsPerRow)
    }

    /// Begins a row; its fields are appended to ``fields`` afterwards.
    package mutating func append(_ head: Head) {
        heads.append(head)
        starts.append(fields.count)
        userPairsOfRows.append(userPair(head.creator, head.modifier))
    }

    private mutating func userPair(_ creator: Int, _ modifier: Int) -> Int {
        for index in userPairs.indices.reversed()
        where userPairs[index].creator == creator && userPairs[index].modifier == modifier { return index }
        let pair = RecordUsers(creator: users[creator], lastModifier: users[modifier])
        userPairs.append((creator, modifier, pair))
        return userPairs.count - 1
    }

    /// The position of the user with this text.
    package mutating func user(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        for index in userTexts.indices.reversed() where isUser(index, text) { return index }
        users.append(ReferenceText.decode(String(decoding: text, as: UTF8.self)))
        userTexts.append(ContiguousArray(text))
        return users.count - 1
    }

    private func isUser(_ index: Int, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        userTexts[index].withUnsafeBytes { known in
            guard known.count == text.count else { return false }
            guard let left = known.baseAddress, let right = text.baseAddress else { return true }
            return memcmp(left, right, known.count) == 0
        }
    }

    /// Makes the record of a row, when all rows have been read.
    func record(at index: Int, layout: FieldLayout, schema: SQLSchema) -> CloudRecord {
        let head = heads[index]
        return CloudRecord(
            recordID: CloudRecordID(head.name, zone: schema.zoneID(head.zone)),
            fields: RecordFields(layout: layout, storage: fields, start: starts[index]),
            systemFields: SystemFields(
                creationDate: head.created,
                modificationDate: head.modified,
                users: userPairs[userPairsOfRows[index]].users,
                recordChangeTag: ChangeTag.text(head.sequence)
            )
        )
    }

    /// Makes the records of the first rows, all of one layout.
    func records(_ count: Int, layout: FieldLayout, schema: SQLSchema) -> [CloudRecord] {
        var records: [CloudRecord] = []
        records.reserveCapacity(count)
        for index in 0..<count {
            records.append(record(at: index, layout: layout, schema: schema))
        }
        return records
    }
}
