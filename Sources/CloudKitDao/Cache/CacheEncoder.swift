import CloudRecords
import Foundation

/// Writes the bytes of a cache file, see ``CacheFormat``.
struct CacheEncoder {
    private var body: [UInt8] = []
    private var zones = CacheTable<CloudZoneID>()
    private var users = CacheTable<CloudRecordID>()
    private var layouts: [FieldLayout] = []
    private var layoutNumbers: [ObjectIdentifier: Int] = [:]
    /// The name of an asset's file beside the cache file; nil if the file can't be had.
    private let assetName: (CloudAsset) -> String?

    private init(assetName: @escaping (CloudAsset) -> String?) {
        self.assetName = assetName
    }

    static func encode(
        _ content: CacheContent,
        key: CacheKey,
        assetName: @escaping (CloudAsset) -> String?
    ) -> [UInt8] {
        var encoder = CacheEncoder(assetName: assetName)
        encoder.body.reserveCapacity(content.records.count * 128)
        for record in content.records { encoder.append(record) }
        return encoder.file(content, key: key)
    }

    private mutating func file(_ content: CacheContent, key: CacheKey) -> [UInt8] {
        var tables = CacheEncoder(assetName: assetName)
        for part in key.parts { tables.append(part) }
        tables.append(content.date)
        // A user's zone may be a new one.
        var userBytes = CacheEncoder(assetName: assetName)
        userBytes.zones = zones
        userBytes.append(count: users.values.count)
        for user in users.values { userBytes.append(user) }
        tables.append(count: userBytes.zones.values.count)
        for zone in userBytes.zones.values {
            tables.append(zone.zoneName)
            tables.append(zone.ownerName)
        }
        tables.body += userBytes.body
        tables.append(count: layouts.count)
        for layout in layouts {
            tables.append(layout.recordType)
            tables.append(count: layout.count)
            for name in layout.names { tables.append(name) }
        }
        tables.append(count: content.records.count)

        var file = CacheEncoder(assetName: assetName)
        file.body.reserveCapacity(CacheFormat.headSize + tables.body.count + body.count)
        let flags = content.isComplete ? CacheFormat.isCompleteFlag : 0
        tables.body += body
        file.body += CacheFormat.magic
        file.append(CacheFormat.version)
        file.append(flags)
        file.append(UInt64(tables.body.count))
        file.append(
            tables.body.withUnsafeBytes { CacheFormat.checksum(of: $0, version: CacheFormat.version, flags: flags) }
        )
        file.body += tables.body
        return file.body
    }

    // MARK: Records

    private mutating func append(_ record: CloudRecord) {
        append(count: number(of: record.layout))
        append(record.recordID)
        var bits: UInt8 = 0
        if record.creationDate != nil { bits |= CacheFormat.SystemBit.creationDate }
        if record.modificationDate != nil { bits |= CacheFormat.SystemBit.modificationDate }
        if record.recordChangeTag != nil { bits |= CacheFormat.SystemBit.changeTag }
        body.append(bits)
        if let date = record.creationDate { append(date) }
        if let date = record.modificationDate { append(date) }
        if let tag = record.recordChangeTag { append(tag) }
        append(count: record.creatorUserRecordID.map { users.number(of: $0) } ?? 0)
        append(count: record.lastModifiedUserRecordID.map { users.number(of: $0) } ?? 0)
        record.fields.withValues { states in
            for state in states { append(state) }
        }
    }

    private mutating func number(of layout: FieldLayout) -> Int {
        let identifier = ObjectIdentifier(layout)
        if let number = layoutNumbers[identifier] { return number }
        layoutNumbers[identifier] = layouts.count
        layouts.append(layout)
        return layouts.count - 1
    }

    private mutating func append(_ recordID: CloudRecordID) {
        append(recordID.recordName)
        append(count: recordID.zoneID.isDefault ? 0 : zones.number(of: recordID.zoneID))
    }

    private mutating func append(_ state: FieldState) {
        switch state {
        case .absent: body.append(CacheFormat.FieldTag.absent)
        case .null: body.append(CacheFormat.FieldTag.null)
        case .value(let value): append(value)
        }
    }

    private mutating func append(_ value: CloudValue) {
        switch value {
        case .string(let value):
            body.append(CacheFormat.FieldTag.string)
            append(value)
        case .int64(let value):
            body.append(CacheFormat.FieldTag.int64)
            append(UInt64(bitPattern: value))
        case .double(let value):
            body.append(CacheFormat.FieldTag.double)
            append(value.bitPattern)
        case .date(let value):
            body.append(CacheFormat.FieldTag.date)
            append(value)
        case .bytes(let value):
            body.append(CacheFormat.FieldTag.bytes)
            append(count: value.count)
            body += value
        case .location(let value):
            body.append(CacheFormat.FieldTag.location)
            append(value)
        case .reference(let value):
            body.append(CacheFormat.FieldTag.reference)
            append(value.recordID)
            body.append(value.action == .deleteSelf ? 1 : 0)
        case .asset(let value):
            // What can't be kept is not known here, rather than empty.
            guard let name = assetName(value) else { return body.append(CacheFormat.FieldTag.absent) }
            body.append(CacheFormat.FieldTag.asset)
            append(name)
        case .list(let elements):
            body.append(CacheFormat.FieldTag.list)
            append(count: elements.count)
            for element in elements { append(element) }
        }
    }

    private mutating func append(_ location: CloudLocation) {
        let numbers = [
            location.latitude, location.longitude, location.altitude, location.horizontalAccuracy,
            location.verticalAccuracy, location.course, location.speed,
        ]
        for number in numbers { append(number.bitPattern) }
        body.append(location.timestamp == nil ? 0 : 1)
        if let timestamp = location.timestamp { append(timestamp) }
    }

    // MARK: Bytes

    private mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { body.append(contentsOf: $0) }
    }

    private mutating func append(_ date: Date) {
        append(date.timeIntervalSinceReferenceDate.bitPattern)
    }

    private mutating func append(count: Int) {
        var rest = UInt64(count)
        while rest > 0x7F {
            body.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        body.append(UInt8(rest))
    }

    private mutating func append(_ text: String) {
        append(count: text.utf8.count)
        body.append(contentsOf: text.utf8)
    }
}

/// Values that are written once and referred to by number, from 1.
private struct CacheTable<Value: Hashable> {
    private(set) var values: [Value] = []
    private var numbers: [Value: Int] = [:]
    private var last: (value: Value, number: Int)?

    mutating func number(of value: Value) -> Int {
        // Most records have the same user.
        if let last, last.value == value { return last.number }
        let number = numbers[value] ?? values.count + 1
        if number > values.count {
            values.append(value)
            numbers[value] = number
        }
        last = (value, number)
        return number
    }
}
