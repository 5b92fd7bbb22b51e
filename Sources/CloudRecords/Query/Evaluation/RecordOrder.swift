/// An order made ready to compare many records in memory, as the stores sort them.
///
/// Null and absent fields come first in ascending order and last in descending order. Records without a location come
/// last in an order by distance. What is equal in all keys is sorted by record name, then by zone (the default zone
/// first, the others by name and owner), in the direction of the last key. So no two records are equal.
package struct RecordOrder: Sendable {
    enum Key: Sendable {
        case field(number: Int)
        case distance(number: Int, from: CloudLocation)
        case system(SystemField)
        case recordName
        case zone
    }

    let keys: [(key: Key, isAscending: Bool)]
    let positions: FieldPositions

    /// Compiles an order. A field of a type that has no order plays no part in it; ``QueryCheck`` refuses such a key.
    package init(_ order: OrderBy) {
        var keys: [(key: Key, isAscending: Bool)] = []
        var names: [String] = []
        var seen: Set<String> = []
        for key in order.keys {
            switch key {
            case .field(let name, let isAscending):
                // Records that get to the second one are equal in it. It doesn't count as the last key either.
                guard seen.insert(name).inserted else { continue }
                switch SystemField(rawValue: name) {
                case .recordID?: keys.append((.recordName, isAscending))
                case let field?: keys.append((.system(field), isAscending))
                case nil:
                    keys.append((.field(number: names.count), isAscending))
                    names.append(name)
                }
            case .distance(let name, let place):
                keys.append((.distance(number: names.count, from: place), true))
                names.append(name)
            }
        }
        let isAscending = keys.last?.isAscending ?? true
        keys.append((.recordName, isAscending))
        keys.append((.zone, isAscending))
        self.keys = keys
        positions = FieldPositions(names: names)
    }

    /// Whether a record comes before another one.
    package func precedes(_ left: CloudRecord, _ right: CloudRecord) -> Bool {
        relation(left, right) == .less
    }

    /// How a record stands to another one; equal only for records with the same ID and equal keys.
    package func relation(_ left: CloudRecord, _ right: CloudRecord) -> ValueRelation {
        positions.withFields(of: left) { leftFields in
            positions.withFields(of: right) { rightFields in
                for (key, isAscending) in keys {
                    let relation =
                        switch key {
                        case .field(let number): Self.relation(leftFields[number].value, rightFields[number].value)
                        case .distance(let number, let place):
                            Self.relation(leftFields[number].value, rightFields[number].value, from: place)
                        case .system(let field): Self.relation(left.value(of: field), right.value(of: field))
                        case .recordName: ValueRelation.between(left.recordID.recordName, right.recordID.recordName)
                        case .zone: Self.relation(left.recordID.zoneID, right.recordID.zoneID)
                        }
                    if relation != .equal { return isAscending ? relation : relation.reversed }
                }
                return .equal
            }
        }
    }

    // MARK: Values

    private static func relation(_ left: CloudValue?, _ right: CloudValue?) -> ValueRelation {
        // What can't be sorted by counts as null.
        let ranks = (rank(left), rank(right))
        guard ranks.0 == ranks.1 else { return .ordered(ranks.0, ranks.1) }
        guard ranks.0 > 0, let left, let right else { return .equal }
        if case .reference(let left) = left, case .reference(let right) = right {
            return relation(left.recordID, right.recordID)
        }
        let relation = ValueRelation.between(left, right)
        return relation == .different ? .equal : relation
    }

    /// The place of the type: a store's field has one type, but in memory one may have several.
    static func rank(_ value: CloudValue?) -> Int {
        switch value {
        case nil, .location, .asset, .list: 0
        case .int64, .double: 1
        case .date: 2
        case .string: 3
        case .reference: 4
        case .bytes: 5
        }
    }

    /// By the text that SQL keeps.
    private static func relation(_ left: CloudRecordID, _ right: CloudRecordID) -> ValueRelation {
        if left.zoneID.isDefault, right.zoneID.isDefault { return .between(left.recordName, right.recordName) }
        return .between(ReferenceText.encode(left), ReferenceText.encode(right))
    }

    private static func relation(
        _ left: CloudValue?,
        _ right: CloudValue?,
        from place: CloudLocation
    ) -> ValueRelation {
        let left = left?.locationValue.map { $0.distance(to: place) } ?? .infinity
        return .ordered(left, right?.locationValue.map { $0.distance(to: place) } ?? .infinity)
    }

    private static func relation(_ left: CloudZoneID, _ right: CloudZoneID) -> ValueRelation {
        if left == right { return .equal }
        if left.isDefault || right.isDefault { return left.isDefault ? .less : .greater }
        let names = ValueRelation.between(left.zoneName, right.zoneName)
        return names == .equal ? .between(left.ownerName, right.ownerName) : names
    }
}

extension CloudRecord {
    /// The value of a system field to sort by.
    func value(of field: SystemField) -> CloudValue? {
        func reference(_ recordID: CloudRecordID?) -> CloudValue? {
            recordID.map { .reference(CloudReference(recordID: $0)) }
        }
        return switch field {
        case .creationDate: creationDate.map(CloudValue.date)
        case .modificationDate: modificationDate.map(CloudValue.date)
        case .creatorUserRecordID: reference(creatorUserRecordID)
        case .lastModifiedUserRecordID: reference(lastModifiedUserRecordID)
        // The identity has a key of its own, and change tags have no order.
        case .recordID, .recordChangeTag: nil
        }
    }
}
