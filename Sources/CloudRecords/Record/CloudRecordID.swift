import Foundation

/// The identity of a record: its name within a zone.
///
/// A record name is unique within its zone, whatever the record type. Names compare by bytes.
public struct CloudRecordID: Sendable, Hashable, CustomStringConvertible {
    /// The record's name: 1 to 255 printable ASCII characters without a leading underscore.
    ///
    /// The rule is checked when a record is saved, so that names which other clients stored can always be read.
    public let recordName: String

    /// The zone that the record lives in.
    public let zoneID: CloudZoneID

    /// Makes the ID of the record with this name.
    public init(_ recordName: String, zone: CloudZoneID = .default) {
        self.recordName = recordName
        self.zoneID = zone
    }

    /// Makes a new ID with a random UUID for a name.
    public init(zone: CloudZoneID = .default) {
        self.init(UUID().uuidString, zone: zone)
    }

    public var description: String {
        zoneID.isDefault ? recordName : "\(recordName) in \(zoneID)"
    }

    public static func == (left: CloudRecordID, right: CloudRecordID) -> Bool {
        // Swift's string equality is by canonical equivalence; record names compare by bytes.
        TextBytes.areEqual(left.recordName, right.recordName) && left.zoneID == right.zoneID
    }

    public func hash(into hasher: inout Hasher) {
        // The string's own hash is consistent with equality by bytes: equal bytes are equivalent strings.
        hasher.combine(recordName)
        hasher.combine(zoneID)
    }
}

extension CloudRecordID: Codable {
    private enum CodingKeys: String, CodingKey {
        case recordName, zoneID
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try container.decode(String.self, forKey: .recordName),
            zone: try container.decodeIfPresent(CloudZoneID.self, forKey: .zoneID) ?? .default
        )
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(recordName, forKey: .recordName)
        if !zoneID.isDefault {
            try container.encode(zoneID, forKey: .zoneID)
        }
    }
}
