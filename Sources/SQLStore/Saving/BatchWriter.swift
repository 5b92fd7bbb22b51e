import CloudRecords
import Foundation

/// Saves and deletes the records of one batch inside a write transaction.
///
/// A record is checked, bound and compared with what is stored before anything of it is written, so that a refused
/// one leaves no trace and the others of the batch can go on.
final class BatchWriter {
    let session: WriteSession
    private let policy: CloudSavePolicy
    private let userRecordID: CloudRecordID
    /// The users of what this user made, shared by the records.
    private let ownUsers: RecordUsers
    private let userText: String
    let clock: Date
    let links: LinkWriter
    // Records of a batch mostly share type and layout: what is known of the last one's is tried first.
    private var lastType: (layout: FieldLayout, recordType: SQLRecordType)?
    private var lastTokens: (recordType: SQLRecordType, writer: TokenWriter)?
    private var saved = 0
    let directory: NameDirectory
    private let nameInsertion: any SQLStatement
    let notifier: ChangeNotifier?

    init(session: WriteSession, policy: CloudSavePolicy, userRecordID: CloudRecordID, clock: Date) throws {
        self.session = session
        directory = try NameDirectory(session.connection)
        links = session.links
        notifier = try ChangeNotifier(session, date: clock)
        nameInsertion = try session.connection.storeStatements.statement(.nameInsertion, on: session.connection)
        self.policy = policy
        self.userRecordID = userRecordID
        ownUsers = RecordUsers(creator: userRecordID, lastModifier: userRecordID)
        userText = ReferenceText.encode(userRecordID)
        self.clock = clock
    }

    /// What is stored of a record, without its fields.
    private struct Stored {
        let recordType: SQLRecordType
        let row: Int64
        let sequence: Int64
        let created: Date?
        let creator: CloudRecordID
    }

    // MARK: Saving

    /// Saves one record and returns it as it is stored.
    ///
    /// - Throws: ``CloudError`` with the record's ID when the record was refused and nothing of it was written.
    ///   Any other error concerns the database, and the transaction must be rolled back.
    func save(_ record: CloudRecord) throws -> CloudRecord {
        try RecordValidator.validate(record)
        let zone = try zone(of: record.recordID)
        if record.recordChangeTag == nil, let saved = try insert(record, zone: zone) { return saved }
        guard let stored = try stored(record, zone: zone) else {
            // Made anew by its changed fields alone, the record would have lost the others without a word.
            guard policy == .allKeys || record.recordChangeTag == nil else { throw CloudError.gone(record.recordID) }
            guard let saved = try insert(record, zone: zone) else {
                throw CloudError(.internalError, "Record \(record.recordID) is there and not there.")
            }
            return saved
        }
        try check(record, against: stored)
        return try update(record, stored)
    }

    /// Inserts a record; nil if there is one of this name already.
    private func insert(_ record: CloudRecord, zone: Int64) throws -> CloudRecord? {
        let plan = try boundPlan(for: record, zone: zone, isInsert: true)
        let statement = plan.statement
        try nameInsertion.bind(record.recordID.recordName, at: 1)
        try nameInsertion.bind(zone, at: 2)
        try nameInsertion.bind(plan.recordType.id, at: 3)
        try nameInsertion.bind(session.nextSequence, at: 4)
        guard try nameInsertion.run() == 1 else {
            statement.reset()
            return nil
        }
        let sequence = try session.takeSequence()
        let date = nextDate()
        try statement.bind(sequence, at: 1)
        try statement.bind(record.recordID.recordName, at: 2)
        try statement.bind(zone, at: 3)
        try statement.bind(sequence, at: 4)
        try statement.bind(date.timeIntervalSinceReferenceDate, at: 5)
        try statement.bind(date.timeIntervalSinceReferenceDate, at: 6)
        try statement.bind(userText, at: 7)
        try statement.bind(userText, at: 8)
        _ = try statement.run()
        try tokenWriter(plan.recordType)?.add(record, row: sequence)
        if plan.hasLinks { try links.write(record, by: plan, row: sequence) }
        let saved = stamped(record, sequence: sequence, created: date, creator: userRecordID, modified: date)
        try notifier?.note(inserted: saved)
        return saved
    }

    private func update(_ record: CloudRecord, _ stored: Stored) throws -> CloudRecord {
        let plan = try boundPlan(for: record, zone: nil, isInsert: false)
        let statement = plan.statement
        let before = try notifier?.before(stored.recordType, in: record.recordID.zoneID, row: stored.row)
        let sequence = try session.takeSequence()
        let date = nextDate()
        try statement.bind(stored.row, at: 1)
        try statement.bind(sequence, at: 2)
        try statement.bind(date.timeIntervalSinceReferenceDate, at: 3)
        try statement.bind(userText, at: 4)
        _ = try statement.run()
        if plan.hasText { try tokenWriter(plan.recordType)?.update(row: stored.row) }
        if plan.hasLinks { try links.write(record, by: plan, row: stored.row) }
        let saved = stamped(
            record,
            sequence: sequence,
            created: stored.created,
            creator: stored.creator,
            modified: date
        )
        try notifier?.note(before: before, saved: saved)
        return saved
    }

    private func stamped(
        _ record: CloudRecord,
        sequence: Int64,
        created: Date?,
        creator: CloudRecordID,
        modified: Date
    ) -> CloudRecord {
        var saved = record
        saved.systemFields = SystemFields(
            creationDate: created,
            modificationDate: modified,
            users: creator == userRecordID ? ownUsers : RecordUsers(creator: creator, lastModifier: userRecordID),
            recordChangeTag: ChangeTag.text(sequence)
        )
        return saved
    }

    /// The date of the next record: the batch's clock reading, and a microsecond more for each record.
    ///
    /// So the records of a batch keep its order when sorted by date, and lie in that order in the index.
    private func nextDate() -> Date {
        defer { saved += 1 }
        return clock + Double(saved) * 1e-6
    }

    // MARK: What is stored

    private func zone(of recordID: CloudRecordID) throws -> Int64 {
        if recordID.zoneID.isDefault { return SQLSchema.defaultZone }
        guard let zone = session.schema.zone(recordID.zoneID) else {
            throw CloudError(
                .zoneNotFound,
                "Record \(recordID.recordName) can't be saved: there is no zone \(recordID.zoneID).",
                remedy: "Save the zone first.",
                recordID: recordID
            )
        }
        return zone
    }

    private func stored(_ record: CloudRecord, zone: Int64) throws -> Stored? {
        guard let place = try directory.place(of: record.recordID.recordName, zone: zone) else { return nil }
        let recordType = try recordType(id: place.typeID)
        guard recordType.name == record.recordType else {
            throw CloudError(
                .invalidArguments,
                "Record \(record.recordID) can't be saved as \(record.recordType): it exists as \(recordType.name).",
                remedy: "A record name is unique in its zone whatever the type; give the record another name.",
                recordID: record.recordID
            )
        }
        let statement = try headStatement(recordType)
        defer { statement.reset() }
        try statement.bind(place.row, at: 1)
        guard try statement.step() else {
            throw CloudError(
                .internalError,
                "The directory names record \(record.recordID), but the table \(recordType.table) lacks it.",
                remedy: "Restore the database from a backup.",
                recordID: nil
            )
        }
        return Stored(
            recordType: recordType,
            row: place.row,
            sequence: statement.integer(at: 0),
            created: statement.date(at: 1),
            creator: user(statement.text(at: 2))
        )
    }

    private func recordType(id: Int64) throws -> SQLRecordType {
        if let lastType, lastType.recordType.id == id { return lastType.recordType }
        return try session.schema.recordType(id: id)
    }

    private func headStatement(_ recordType: SQLRecordType) throws -> any SQLStatement {
        try session.connection.storeStatements.statement(of: recordType, on: session.connection) {
            """
            SELECT "_sequence", "_created", "_creator" \
            FROM \(session.dialect.quoted(recordType.table)) WHERE "_row" = ?1
            """
        }
    }

    /// The user of a text; nearly always the store's own, whose ID is made already.
    private func user(_ text: String) -> CloudRecordID {
        text == userText ? userRecordID : ReferenceText.decode(text)
    }

    /// Throws the conflict if the policy forbids to overwrite what is stored.
    private func check(_ record: CloudRecord, against stored: Stored) throws {
        guard policy == .ifServerRecordUnchanged else { return }
        if let tag = record.recordChangeTag, ChangeTag.sequence(tag) == stored.sequence { return }
        guard let server = try session.reading.record(in: stored.recordType, row: stored.row) else {
            throw CloudError(.internalError, "Record \(record.recordID) vanished inside a transaction.")
        }
        throw CloudError.conflict(client: record, server: server, ancestor: nil)
    }

    // MARK: Plans

    /// The statement for a record, with its fields bound; made, and the schema grown, if need be.
    private func boundPlan(for record: CloudRecord, zone: Int64?, isInsert: Bool) throws -> WritePlan {
        let cache = session.connection.writePlans
        if let recordType = knownType(record),
            let plan = cache.plan(for: record, in: recordType, isInsert: isInsert),
            try record.fields.withValues({ try plan.statement.bind($0, to: plan.columns) }) == nil
        {
            return plan
        }
        let growth = try SchemaGrowth(record, session.schema.recordTypes[record.recordType])
        if let zone, !growth.isEmpty, let stored = try stored(record, zone: zone) {
            // A record that is not written must not leave columns behind.
            try check(record, against: stored)
        }
        let recordType = try growth.apply(session.editor)
        lastType = (record.layout, recordType)
        let plan = try WritePlan(
            for: record,
            in: recordType,
            isInsert: isInsert,
            connection: session.connection,
            dialect: session.dialect
        )
        cache.add(plan)
        guard try record.fields.withValues({ try plan.statement.bind($0, to: plan.columns) }) == nil else {
            throw CloudError(.internalError, "A field of \(record.recordID) fits no column.")
        }
        return plan
    }

    private func knownType(_ record: CloudRecord) -> SQLRecordType? {
        if let lastType, lastType.layout === record.layout { return lastType.recordType }
        guard let recordType = session.schema.recordTypes[record.recordType] else { return nil }
        lastType = (record.layout, recordType)
        return recordType
    }

    /// What keeps the words of a record type, if they are searched.
    func tokenWriter(_ recordType: SQLRecordType) throws -> TokenWriter? {
        guard let table = recordType.tokenTable else { return nil }
        if let lastTokens, lastTokens.recordType === recordType { return lastTokens.writer }
        let writer = try TokenWriter(
            recordType,
            table: table,
            connection: session.connection,
            dialect: session.dialect
        )
        lastTokens = (recordType, writer)
        return writer
    }
}

extension CloudError {
    fileprivate static func gone(_ recordID: CloudRecordID) -> CloudError {
        CloudError(
            .unknownItem,
            "Record \(recordID) was deleted since it was read, so its change can't be saved.",
            remedy: "Save it as a new record, or with the policy allKeys.",
            recordID: recordID
        )
    }
}

extension SQLStatement {
    /// The date in a column of the current row, as a number or as another tool's text.
    func date(at column: Int) -> Date? {
        switch value(at: column) {
        case .real(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
        case .integer(let seconds): Date(timeIntervalSinceReferenceDate: Double(seconds))
        case .text(let text): ISO8601Text.date(of: text)
        case .null, .blob: nil
        }
    }
}
