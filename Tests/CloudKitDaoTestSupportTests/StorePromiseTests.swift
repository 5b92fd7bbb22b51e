import CloudKitDao
import CloudKitDaoTestSupport
import Foundation
import Testing

/// The contract finds stores that break it.
@Suite struct StorePromiseTests {
    /// A store that answers everything, with nothing, keeps no promise worth its name.
    @Test(arguments: StoreContract.promises.filter { !keptByNothing.contains($0.name) })
    func `a store that does nothing breaks`(_ promise: StorePromise) async {
        await withKnownIssue {
            try await promise.check(on: StoreFixture { EveryRequestStore() })
        }
    }

    /// Promises that something does not happen.
    private static let keptByNothing: Set<String> = [
        "An empty batch succeeds", "An empty atomic batch succeeds", "A fetch of no ID has no result",
        "A type that was never saved has no records", "No report comes when the batch is over",
        "A batch of which a record is refused reports no more than was to be done",
    ]

    @Test func `a capability that is missing must be refused by name`() async throws {
        let promise = try #require(StoreContract.promises.first { $0.requires == [.changeLog] })
        try await promise.check(on: StoreFixture { LimitedStore(code: .unsupported, message: "changes since a token") })
        await withKnownIssue {
            try await promise.check(on: StoreFixture { LimitedStore(code: .unsupported, message: "no") })
        }
        await withKnownIssue {
            try await promise.check(
                on: StoreFixture { LimitedStore(code: .internalError, message: "changes since a token") }
            )
        }
    }

    @Test func `the page of promises has each of them`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let page = root.deletingLastPathComponent().appending(path: "Docs/CloudKitDao.docc/StorePromises.md")
        let listed = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("- ") }
        let names = (StoreContract.promises + StoreContract.promisesAfterReopening).map { "- \($0.name)." }
        #expect(listed.map(String.init).sorted() == names.sorted())
    }

    @Test func `every promise names what it requires`() {
        let required = Set(StoreContract.promises.flatMap(\.requires))
        #expect(required == Set(CloudCapabilities.Capability.allCases))
    }
}

/// A store without any capability, which refuses the change log in its own way.
private struct LimitedStore: CloudStore {
    let code: CloudError.Code
    let message: String
    let capabilities = CloudCapabilities(storeName: "The limited store", supported: [])

    func fetch(
        _ recordIDs: [CloudRecordID],
        desiredFields: [String]?
    ) async throws -> [Result<CloudRecord, CloudError>] { [] }

    func modify(_ modification: CloudModification) async throws -> CloudModificationResult {
        CloudModificationResult(saved: [], deleted: [])
    }

    func page(_ query: CloudQuery, after cursor: CloudCursor?, limit: Int) async throws -> CloudPage {
        CloudPage(records: [], cursor: nil)
    }

    func changes(since token: CloudChangeToken?, in zoneID: CloudZoneID?, limit: Int) async throws -> CloudChanges {
        throw CloudError(code, message)
    }

    func currentUserRecordID() async throws -> CloudRecordID { CloudRecordID("_user") }
}
