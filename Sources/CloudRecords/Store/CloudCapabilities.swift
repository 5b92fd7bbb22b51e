/// What a store can do, so that a caller can refuse early and name what is missing.
public struct CloudCapabilities: Sendable, Hashable {
    /// Something that not every store can do.
    public enum Capability: String, Sendable, Hashable, CaseIterable {
        case atomicBatches = "atomic batches"
        case changeLog = "changes since a token"
        case zones = "custom zones"
        case subscriptions
        case notifications
        case tokenSearch = "token search"
        case distanceQueries = "distance queries"
        case orPredicates = "OR in predicates"
        case schema = "reading and extending the schema"
        case schemaGrowth = "a schema that grows with what is saved"
        case schemaDeployment = "schema deployment"
    }

    /// The store's name in error messages.
    public let storeName: String

    /// What the store can do.
    public let supported: Set<Capability>

    /// The most records, saves and deletes together, that one batch may have; nil for no limit.
    public let maximumBatchSize: Int?

    /// Describes a store.
    public init(storeName: String, supported: Set<Capability>, maximumBatchSize: Int? = nil) {
        self.storeName = storeName
        self.supported = supported
        self.maximumBatchSize = maximumBatchSize
    }

    /// Throws ``CloudError/Code/unsupported``, naming the capability, if the store lacks it.
    public func require(_ capability: Capability) throws {
        guard supported.contains(capability) else { throw unsupported(capability) }
    }

    package func unsupported(_ capability: Capability) -> CloudError {
        .unsupported(capability.rawValue, by: storeName)
    }
}
