/// What to look for: a record type, a predicate, an order, and which fields to return.
public struct CloudQuery: Sendable, Hashable, Codable {
    /// The type of the records.
    public var recordType: String

    /// The condition that the records match.
    public var predicate: CloudPredicate

    /// The order of the records.
    public var orderBy: OrderBy

    /// The zone to look in; nil for all zones of the database.
    public var zoneID: CloudZoneID?

    /// The fields to return; nil for all of them. The other fields are absent in the records.
    public var desiredFields: [String]?

    /// Makes a query. Without anything but a record type it returns all records of it, newest first.
    public init(
        recordType: String,
        predicate: CloudPredicate = .all,
        orderBy: OrderBy = .descending(SystemField.creationDate.rawValue),
        zoneID: CloudZoneID? = nil,
        desiredFields: [String]? = nil
    ) {
        self.recordType = recordType
        self.predicate = predicate
        self.orderBy = orderBy
        self.zoneID = zoneID
        self.desiredFields = desiredFields
    }
}
