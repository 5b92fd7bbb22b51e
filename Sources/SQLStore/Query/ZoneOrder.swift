import CloudRecords

/// The zones in which a query looks, in the order of records that are equal in everything else: the default zone
/// first, then by zone name and owner name, both by bytes.
///
/// Tables have the numbers of zones, which are given as zones are made. The order of the names is the same in every
/// store.
struct ZoneOrder: Sendable {
    private let zones: [(text: String, number: Int64)]

    /// Whether the numbers are in order themselves, so that an index with them gives it.
    let isByNumber: Bool

    init(_ schema: SQLSchema, only zoneID: CloudZoneID?) {
        let zoneIDs = zoneID.map { [$0] } ?? Array(schema.zones.keys)
        zones = zoneIDs.compactMap { zoneID in
            schema.zone(zoneID).map { (Self.text(of: zoneID), $0) }
        }.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
        isByNumber = zip(zones, zones.dropFirst()).allSatisfy { $0.number < $1.number }
    }

    /// A zone as a text that sorts as zones do: zone name and owner name, with a character between them that is smaller
    /// than all that they contain; empty for the default zone. Cursors have it, since zones come and go with their
    /// numbers.
    static func text(of zoneID: CloudZoneID) -> String {
        zoneID.isDefault ? "" : "\(zoneID.zoneName)\(separator)\(zoneID.ownerName)"
    }

    private static let separator = "\u{1F}"

    /// The numbers of the zones after a place in their order, in either direction.
    func numbers(after text: String, isAscending: Bool) -> [Int64] {
        zones.filter { zone in
            isAscending
                ? text.utf8.lexicographicallyPrecedes(zone.text.utf8)
                : zone.text.utf8.lexicographicallyPrecedes(text.utf8)
        }.map(\.number)
    }

    /// The same text in SQL, to sort by where the numbers are not in order.
    static func sortText(_ column: String) -> String {
        """
        CASE WHEN \(column) = \(SQLSchema.defaultZone) THEN '' ELSE \
        (SELECT "name" || '\(separator)' || "owner" FROM "_zones" WHERE "id" = \(column)) END
        """
    }
}
