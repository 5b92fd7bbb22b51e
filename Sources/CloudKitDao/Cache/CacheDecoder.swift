import CloudRecords
import Foundation

/// Reads the bytes of a cache file, see ``CacheFormat``.
struct CacheDecoder {
    /// Why bytes are no cache file.
    enum Failure: Error {
        case damaged(String)
        /// Written by a later version of the framework.
        case newer(version: UInt32)
    }

    /// How many records share an array of values. It lives as long as one of them does.
    private static let pageSize = 256

    private let bytes: UnsafeRawBufferPointer
    private var position = 0
    private var zones: [CloudZoneID] = []
    private var users: [CloudRecordID] = []
    private var layouts: [FieldLayout] = []
    private let asset: (String) -> CloudAsset

    private init(_ bytes: UnsafeRawBufferPointer, asset: @escaping (String) -> CloudAsset) {
        self.bytes = bytes
        self.asset = asset
    }

    /// - Throws: ``Failure`` if the bytes are not those of a cache file for this key.
    static func decode(
        _ bytes: UnsafeRawBufferPointer,
        key: CacheKey,
        asset: @escaping (String) -> CloudAsset
    ) throws(Failure) -> CacheContent {
        var head = CacheDecoder(bytes, asset: asset)
        guard bytes.count >= CacheFormat.headSize, bytes.starts(with: CacheFormat.magic) else {
            throw .damaged("it does not begin as one")
        }
        head.position = CacheFormat.magic.count
        let version = UInt32(truncatingIfNeeded: try head.word(UInt32.self))
        let flags = try head.word(UInt32.self)
        guard version == CacheFormat.version else { throw .newer(version: version) }
        let size = try head.word(UInt64.self)
        let checksum = try head.word(UInt64.self)
        let body = UnsafeRawBufferPointer(rebasing: bytes[CacheFormat.headSize...])
        guard size == UInt64(body.count) else { throw .damaged("it has not its full length") }
        guard CacheFormat.checksum(of: body, version: version, flags: flags) == checksum else {
            throw .damaged("its checksum is wrong")
        }
        var decoder = CacheDecoder(body, asset: asset)
        return try decoder.content(key: key, isComplete: flags & CacheFormat.isCompleteFlag != 0)
    }

    private mutating func content(key: CacheKey, isComplete: Bool) throws(Failure) -> CacheContent {
        var parts: [String] = []
        for _ in key.parts { parts.append(try text()) }
        guard zip(parts, key.parts).allSatisfy({ Array($0.utf8) == Array($1.utf8) }) else {
            throw .damaged("it is that of another collection")
        }
        let date = try date()
        for _ in 0..<(try count()) { zones.append(CloudZoneID(try text(), ownerName: try text())) }
        for _ in 0..<(try count()) { users.append(try recordID()) }
        for _ in 0..<(try count()) {
            let recordType = try text()
            var names: [String] = []
            for _ in 0..<(try count()) { names.append(try text()) }
            let layout = FieldLayout(recordType: recordType, names: names)
            guard layout.count == names.count else { throw .damaged("a field is there twice") }
            layouts.append(layout)
        }
        let records = try records(try count())
        guard position == bytes.count else { throw .damaged("it goes on behind its end") }
        return CacheContent(records: records, isComplete: isComplete, date: date)
    }

    // MARK: Records

    /// A record without its fields.
    private struct Head {
        let layout: FieldLayout
        let recordID: CloudRecordID
        var creationDate: Date?
        var modificationDate: Date?
        var recordChangeTag: String?
        var creator: CloudRecordID?
        var modifier: CloudRecordID?
        let start: Int
    }

    private mutating func records(_ count: Int) throws(Failure) -> [CloudRecord] {
        var records: [CloudRecord] = []
        records.reserveCapacity(count)
        var heads: [Head] = []
        heads.reserveCapacity(Self.pageSize)
        var left = count
        while left > 0 {
            let pageCount = min(left, Self.pageSize)
            left -= pageCount
            heads.removeAll(keepingCapacity: true)
            var states = ContiguousArray<FieldState>()
            for _ in 0..<pageCount {
                let head = try head(start: states.count)
                if states.isEmpty { states.reserveCapacity(pageCount * head.layout.count) }
                for _ in 0..<head.layout.count { states.append(try state()) }
                heads.append(head)
            }
            for head in heads {
                let fields = RecordFields(layout: head.layout, storage: states, start: head.start)
                var record = CloudRecord(recordID: head.recordID, fields: fields)
                record.creationDate = head.creationDate
                record.modificationDate = head.modificationDate
                record.creatorUserRecordID = head.creator
                record.lastModifiedUserRecordID = head.modifier
                record.recordChangeTag = head.recordChangeTag
                records.append(record)
            }
        }
        return records
    }

    private mutating func head(start: Int) throws(Failure) -> Head {
        var head = Head(layout: try element(of: layouts, try count()), recordID: try recordID(), start: start)
        let bits = try byte()
        if bits & CacheFormat.SystemBit.creationDate != 0 { head.creationDate = try date() }
        if bits & CacheFormat.SystemBit.modificationDate != 0 { head.modificationDate = try date() }
        if bits & CacheFormat.SystemBit.changeTag != 0 { head.recordChangeTag = try text() }
        head.creator = try user()
        head.modifier = try user()
        return head
    }

    private mutating func user() throws(Failure) -> CloudRecordID? {
        let number = try count()
        return number == 0 ? nil : try element(of: users, number - 1)
    }

    private mutating func recordID() throws(Failure) -> CloudRecordID {
        let name = try text()
        let number = try count()
        return CloudRecordID(name, zone: number == 0 ? .default : try element(of: zones, number - 1))
    }

    private func element<Element>(of table: [Element], _ index: Int) throws(Failure) -> Element {
        guard table.indices.contains(index) else { throw .damaged("it refers to what it does not hold") }
        return table[index]
    }

    // MARK: Values

    private mutating func state() throws(Failure) -> FieldState {
        switch try byte() {
        case CacheFormat.FieldTag.absent: .absent
        case CacheFormat.FieldTag.null: .null
        case let tag: .value(try value(tag))
        }
    }

    private mutating func value(_ tag: UInt8) throws(Failure) -> CloudValue {
        switch tag {
        case CacheFormat.FieldTag.string: return .string(try text())
        case CacheFormat.FieldTag.int64: return .int64(Int64(bitPattern: try word(UInt64.self)))
        case CacheFormat.FieldTag.double: return .double(try double())
        case CacheFormat.FieldTag.date: return .date(try date())
        case CacheFormat.FieldTag.bytes: return .bytes(Data(try stretch(try count())))
        case CacheFormat.FieldTag.location: return .location(try location())
        case CacheFormat.FieldTag.reference:
            let recordID = try recordID()
            return .reference(CloudReference(recordID: recordID, action: try byte() == 1 ? .deleteSelf : .none))
        case CacheFormat.FieldTag.asset: return .asset(asset(try text()))
        case CacheFormat.FieldTag.list: return .list(try elements())
        default: throw .damaged("it has a value of an unknown kind")
        }
    }

    private mutating func elements() throws(Failure) -> [CloudValue] {
        var elements: [CloudValue] = []
        for _ in 0..<(try count()) {
            switch try byte() {
            case CacheFormat.FieldTag.list: throw .damaged("it has a list in a list")
            // An asset whose file could not be kept.
            case CacheFormat.FieldTag.absent: continue
            case let tag: elements.append(try value(tag))
            }
        }
        return elements
    }

    private mutating func location() throws(Failure) -> CloudLocation {
        CloudLocation(
            latitude: try double(),
            longitude: try double(),
            altitude: try double(),
            horizontalAccuracy: try double(),
            verticalAccuracy: try double(),
            course: try double(),
            speed: try double(),
            timestamp: try byte() == 1 ? try date() : nil
        )
    }

    // MARK: Bytes

    @inline(__always)
    private mutating func byte() throws(Failure) -> UInt8 {
        guard position < bytes.count else { throw .damaged("it ends too soon") }
        position += 1
        return bytes[position - 1]
    }

    @inline(__always)
    private mutating func word<Word: FixedWidthInteger & BitwiseCopyable>(_ type: Word.Type) throws(Failure) -> Word {
        guard bytes.count - position >= MemoryLayout<Word>.size else { throw .damaged("it ends too soon") }
        defer { position += MemoryLayout<Word>.size }
        return Word(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Word.self))
    }

    private mutating func double() throws(Failure) -> Double { Double(bitPattern: try word(UInt64.self)) }

    private mutating func date() throws(Failure) -> Date { Date(timeIntervalSinceReferenceDate: try double()) }

    /// A count of things of at least one byte each: more than there are bytes left is damage, and allocates nothing.
    private mutating func count() throws(Failure) -> Int {
        var count: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = try byte()
            guard shift < 63 else { throw .damaged("it has a count that is too large") }
            count |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { break }
            shift += 7
        }
        guard count <= UInt64(bytes.count) else { throw .damaged("it has a count that is too large") }
        return Int(count)
    }

    private mutating func stretch(_ count: Int) throws(Failure) -> UnsafeRawBufferPointer {
        guard bytes.count - position >= count else { throw .damaged("it ends too soon") }
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<(position + count)])
    }

    private mutating func text() throws(Failure) -> String {
        String(decoding: try stretch(try count()), as: UTF8.self)
    }
}
