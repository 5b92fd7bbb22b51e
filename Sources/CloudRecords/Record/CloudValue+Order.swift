import Foundation

extension CloudValue {
    /// Whether this value comes before another one in a fixed order, in which different values are never equal.
    package func precedes(_ other: CloudValue) -> Bool {
        switch (self, other) {
        case (.string(let left), .string(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
        case (.int64(let left), .int64(let right)): left < right
        case (.double(let left), .double(let right)): left < right
        case (.date(let left), .date(let right)): left < right
        case (.bytes(let left), .bytes(let right)): left.lexicographicallyPrecedes(right)
        case (.location(let left), .location(let right)):
            left.orderKey.lexicographicallyPrecedes(right.orderKey)
        case (.reference(let left), .reference(let right)): left.orderKey.lexicographicallyPrecedes(right.orderKey)
        case (.asset(let left), .asset(let right)):
            left.fileURL.absoluteString.utf8.lexicographicallyPrecedes(right.fileURL.absoluteString.utf8)
        default: fieldType.description < other.fieldType.description
        }
    }
}

extension CloudLocation {
    fileprivate var orderKey: [Double] {
        [
            latitude, longitude, altitude, horizontalAccuracy, verticalAccuracy, course, speed,
            timestamp?.timeIntervalSinceReferenceDate ?? -.infinity,
        ]
    }
}

extension CloudReference {
    fileprivate var orderKey: [String] {
        [recordID.recordName, recordID.zoneID.zoneName, recordID.zoneID.ownerName, action.rawValue]
    }
}
