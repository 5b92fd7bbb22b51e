/// The identity of a record zone: a name and an owner.
///
/// A zone groups records of one database. Every database has the default zone;
/// private databases may have more. Two zone IDs are equal when name and owner are.
public struct CloudZoneID: Sendable, Hashable, CustomStringConvertible {
    /// The name of the default zone, as CloudKit spells it.
    public static let defaultZoneName = "_defaultZone"

    /// The owner name that stands for the current user, as CloudKit spells it.
    public static let currentOwnerName = "__defaultOwner__"

    /// The default zone of the current user.
    public static let `default` = CloudZoneID()

    // Nearly every record lives in the default zone: nil stands for it, so that an ID stays small and cheap to copy.
    private final class Names: Sendable {
        let zoneName: String
        let ownerName: String

        init(zoneName: String, ownerName: String) {
            self.zoneName = zoneName
            self.ownerName = ownerName
        }
    }

    private let names: Names?

    private init() {
        names = nil
    }

    /// Makes a zone ID from a zone's name and its owner's user record name.
    ///
    /// Names are checked when a record or zone is saved, not here: a zone name is 1 to 255
    /// printable ASCII characters without a leading underscore.
    public init(_ zoneName: String, ownerName: String = CloudZoneID.currentOwnerName) {
        if zoneName == Self.defaultZoneName, ownerName == Self.currentOwnerName {
            names = nil
        } else {
            names = Names(zoneName: zoneName, ownerName: ownerName)
        }
    }

    /// The zone's name.
    public var zoneName: String { names?.zoneName ?? Self.defaultZoneName }

    /// The user record name of the zone's owner.
    public var ownerName: String { names?.ownerName ?? Self.currentOwnerName }

    /// Whether this is the current user's default zone.
    public var isDefault: Bool { names == nil }

    public var description: String {
        ownerName == Self.currentOwnerName ? zoneName : "\(zoneName) of \(ownerName)"
    }

    public static func == (left: CloudZoneID, right: CloudZoneID) -> Bool {
        left.names === right.names || (left.zoneName == right.zoneName && left.ownerName == right.ownerName)
    }

    public func hash(into hasher: inout Hasher) {
        // Nothing else equals the default zone: it is hashed without its names.
        guard let names else { return hasher.combine(false) }
        hasher.combine(names.zoneName)
        hasher.combine(names.ownerName)
    }
}

extension CloudZoneID: Codable {
    private enum CodingKeys: String, CodingKey {
        case zoneName, ownerName
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try container.decode(String.self, forKey: .zoneName),
            ownerName: try container.decodeIfPresent(String.self, forKey: .ownerName) ?? Self.currentOwnerName
        )
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(zoneName, forKey: .zoneName)
        if ownerName != Self.currentOwnerName {
            try container.encode(ownerName, forKey: .ownerName)
        }
    }
}
