import CloudRecords
public final class SQLiteStore: CloudStore {
    public init(path: String) throws {}
    public static func inMemory() throws -> SQLiteStore { try SQLiteStore(path: "") }
    public var capabilities: CloudCapabilities { fatalError() }
    public func fetch(_ recordIDs: [CloudRecordID], desiredFields: [String]?) async throws -> [Result<CloudRecord, CloudError>] { [] }
    public func modify(_ modification: CloudModification) async throws -> CloudModificationResult { fatalError() }
    public func page(_ query: CloudQuery, after cursor: CloudCursor?, limit: Int) async throws -> CloudPage { fatalError() }
    public func currentUserRecordID() async throws -> CloudRecordID { fatalError() }
}
