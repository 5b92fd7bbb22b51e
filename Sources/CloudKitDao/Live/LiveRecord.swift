import CloudRecords

/// A record of a live collection, in a box: it is kept in the order and under its ID, and moved by one word.
final class LiveRecord: Sendable {
    let record: CloudRecord
    /// What decides most comparisons, see ``RecordOrder/prefix(of:)``.
    let prefix: UInt64

    init(_ record: CloudRecord, in order: RecordOrder) {
        self.record = record
        prefix = order.prefix(of: record)
    }
}

/// The place of a record in the order, with what decides most comparisons at hand.
struct LiveSlot: Sendable {
    let prefix: UInt64
    let boxed: LiveRecord

    init(_ boxed: LiveRecord) {
        prefix = boxed.prefix
        self.boxed = boxed
    }

    var record: CloudRecord { boxed.record }
}

extension RecordOrder {
    func precedes(_ left: LiveSlot, _ right: LiveRecord) -> Bool {
        left.prefix == right.prefix ? precedes(left.boxed.record, right.record) : left.prefix < right.prefix
    }

    func precedes(_ left: LiveRecord, _ right: LiveSlot) -> Bool {
        left.prefix == right.prefix ? precedes(left.record, right.boxed.record) : left.prefix < right.prefix
    }
}

extension CloudRecord {
    /// Whether the other record is the same stored version.
    func isSameVersion(as other: CloudRecord) -> Bool {
        if let recordChangeTag, let otherTag = other.recordChangeTag { return recordChangeTag == otherTag }
        return recordChangeTag == other.recordChangeTag && hasSameFields(as: other)
    }

    /// Whether all fields are equal; absent ones count as null, and assets as equal, whose files the store moves.
    func hasSameFields(as other: CloudRecord) -> Bool {
        if layout === other.layout {
            return fields.withValues { values in
                other.fields.withValues { values.elementsEqual($0, by: Self.isSameState) }
            }
        }
        return layout.names.allSatisfy { Self.isSameState(state(of: $0), other.state(of: $0)) }
            && other.layout.names.allSatisfy { layout.index(of: $0) != nil || other[$0] == nil }
    }

    private static func isSameState(_ left: FieldState, _ right: FieldState) -> Bool {
        switch (left.value, right.value) {
        case (.asset?, .asset?): true
        case (let left, let right): left == right
        }
    }

    /// This record with the fields of another one on top, as far as they are known there.
    func overlaid(with other: CloudRecord) -> CloudRecord {
        var record = self
        for (index, name) in other.layout.names.enumerated() where other.fields[index] != .absent {
            record.setState(other.fields[index], of: name)
        }
        return record
    }

    /// Whether a field has an asset.
    var holdsAssets: Bool {
        fields.withValues { values in
            values.contains { state in
                switch state {
                case .value(.asset): true
                case .value(.list(let elements)): elements.contains { $0.assetValue != nil }
                default: false
                }
            }
        }
    }

    /// Whether the record is deleted together with another one.
    func isDeleted(with recordID: CloudRecordID) -> Bool {
        func refers(_ value: CloudValue) -> Bool {
            switch value {
            case .reference(let reference): reference.action == .deleteSelf && reference.recordID == recordID
            case .list(let elements): elements.contains(where: refers)
            default: false
            }
        }
        return fields.withValues { values in values.contains { $0.value.map(refers) ?? false } }
    }
}
