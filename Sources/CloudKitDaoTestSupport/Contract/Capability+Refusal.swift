import CloudKitDao
import Testing

extension CloudCapabilities.Capability {
    /// Checks that a store without the capability says so when it is asked for it.
    func checkRefusal(by store: any CloudStore) async throws {
        if self == .schemaGrowth { return try await Self.checkLock(of: store) }
        let error = await #expect(throws: CloudError.self, "\(rawValue) is missing, so it must be refused") {
            try await use(store)
        }
        guard let error else { return }
        #expect(error.code == .unsupported)
        #expect(error.message.contains(rawValue), "the error must name what the store lacks")
    }

    /// Checks that a store whose schema does not grow refuses a type that it doesn't know, by name.
    private static func checkLock(of store: any CloudStore) async throws {
        let unknown = CloudRecord(recordType: "NeverMade", recordID: CloudRecordID("a"))
        let result = try await store.modify(CloudModification(saving: [unknown]))
        let error = #expect(throws: CloudError.self) { try result.saved[0].get() }
        #expect(error?.code == .invalidArguments)
        #expect(error?.message.contains("NeverMade") == true, "the error must name the type")
    }

    /// Asks a store for the capability.
    private func use(_ store: any CloudStore) async throws {
        switch self {
        case .atomicBatches: _ = try await store.modify(CloudModification(saving: [item("a")], isAtomic: true))
        case .changeLog: _ = try await store.changes(since: nil, in: nil, limit: 1)
        case .zones: try await store.saveZone(CloudZoneID("notes"))
        case .subscriptions: _ = try await store.subscriptions()
        case .notifications: _ = try await store.notifications()
        case .tokenSearch: _ = try await store.names("self CONTAINS 'words'")
        case .distanceQueries: _ = try await store.names(.nearDelft)
        case .orPredicates: _ = try await store.names("n == 1 OR n == 2")
        case .schema, .schemaGrowth: _ = try await store.schema()
        case .schemaDeployment: try await store.deploySchema()
        }
    }
}

extension CloudPredicate {
    /// Records of which the field `place` is within 10 km of Delft.
    static let nearDelft: CloudPredicate = "distanceToLocation:fromLocation:(place, \(CloudLocation.delft)) < 10000"
}

extension CloudLocation {
    static let delft = CloudLocation(latitude: 52.0116, longitude: 4.3571)
    /// About 9 km from Delft.
    static let theHague = CloudLocation(latitude: 52.0705, longitude: 4.3007)
    /// About 54 km from Delft.
    static let amsterdam = CloudLocation(latitude: 52.3676, longitude: 4.9041)
}
