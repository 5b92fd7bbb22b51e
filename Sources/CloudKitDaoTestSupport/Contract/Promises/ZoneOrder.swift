import CloudKitDao
import Testing

extension StoreContract {
    /// The order of records that only their zones tell apart.
    static let zoneOrder: [StorePromise] = [
        StorePromise("Records of one name are in the order of their zones, the default zone first", requires: .zones) {
            (store: any CloudStore) in
            let zones = [CloudZoneID("z"), CloudZoneID("a"), CloudZoneID("a", ownerName: "_me"), CloudZoneID("B")]
            for zone in zones { try await store.saveZone(zone) }
            try await store.save((zones + [.default]).map { item("x", in: $0, ["n": .int64(1)]) })
            let expected = ["_defaultZone", "B", "a", "a", "z"]
            for order in [OrderBy.recordName, .ascending("n")] {
                #expect(try await zoneNames(order, store) == expected)
            }
            #expect(try await zoneNames(.descending("n"), store) == expected.reversed())
        }
    ]

    private static func zoneNames(_ order: OrderBy, _ store: any CloudStore) async throws -> [String] {
        try await store.records(CloudQuery(recordType: "Item", orderBy: order), pageSize: 1).map {
            $0.recordID.zoneID.zoneName
        }
    }
}
