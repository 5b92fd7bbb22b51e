import CloudKitDao
import CloudKitDaoTestSupport
import Foundation
import Testing

/// The embedded store keeps the contract, in memory and on files.
@Suite struct StoreContractTests {
    @Test(arguments: StoreContract.promises)
    func `a store in memory keeps`(_ promise: StorePromise) async throws {
        try await promise.check(on: StoreFixture { try SQLiteStore.inMemory() })
    }

    @Test(arguments: StoreContract.promises + StoreContract.promisesAfterReopening)
    func `a store on a file keeps`(_ promise: StorePromise) async throws {
        let folder = try TestFolder()
        try await promise.check(
            on: StoreFixture(makeDatabase: {
                let path = folder.path("\(UUID()).sqlite")
                return { try SQLiteStore(path: path) }
            })
        )
    }

    /// So that a promise which no store can keep is found, and one that only SQLite keeps.
    @Test(arguments: StoreContract.promises)
    func `a store of dictionaries keeps`(_ promise: StorePromise) async throws {
        try await promise.check(on: StoreFixture { try ModelStore() })
    }

    @Test func `no two promises have the same name`() {
        let names = (StoreContract.promises + StoreContract.promisesAfterReopening).map(\.name)
        #expect(Set(names).count == names.count)
    }
}
