import SQLiteStore
import Synchronization
import Testing

@testable import CloudKitDao

/// When a store is opened.
@Suite struct LazyStoreTests {
    private struct Openings {
        var count = 0
        var underWay = 0
        var mostAtOnce = 0
    }

    @Test func `however many wait and however often it fails, a store is opened by one at a time`() async {
        let openings = Mutex(Openings())
        let lazyStore = LazyStore {
            openings.withLock { openings in
                openings.count += 1
                openings.underWay += 1
                openings.mostAtOnce = max(openings.mostAtOnce, openings.underWay)
            }
            defer { openings.withLock { $0.underWay -= 1 } }
            throw CloudError(.badContainer, "locked")
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<64 {
                group.addTask {
                    for _ in 0..<200 { _ = try? await lazyStore.store() }
                }
            }
        }
        #expect(openings.withLock { $0.count } > 1)
        #expect(openings.withLock { $0.mostAtOnce } == 1)
    }

    @Test func `a store that is open is opened no more`() async throws {
        let count = Mutex(0)
        let lazyStore = LazyStore {
            let attempt = count.withLock { count in
                count += 1
                return count
            }
            guard attempt > 1 else { throw CloudError(.badContainer, "locked") }
            return try SQLiteStore.inMemory()
        }
        let error = await #expect(throws: CloudError.self) { try await lazyStore.store() }
        #expect(error?.message == "locked")
        for _ in 0..<3 { _ = try await lazyStore.store() }
        #expect(count.withLock { $0 } == 2)
    }
}
