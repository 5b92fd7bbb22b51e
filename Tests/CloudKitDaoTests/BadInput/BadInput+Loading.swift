import CSQLite
import CloudKitDao
import CloudKitDaoTestSupport
import Foundation
import Synchronization
import Testing

// Records that can't be loaded.
extension BadInput {
    /// Ten signals, of which the sixth has a state that Signal lacks.
    private func saveSignals() async throws {
        try await dao.save(
            (0...9).map { NewerSignal("s\($0)", "signal \($0)", $0 == 5 ? .paused : .stopped) }
        )
    }

    private static let others = ["s0", "s1", "s2", "s3", "s4", "s6", "s7", "s8", "s9"]

    private func storedState() async throws -> NewerSignal.State? {
        try await dao.fetch(NewerSignal.self, "s5")?.state
    }

    private func check(_ error: CloudError) {
        #expect(error.code == .mappingFailed)
        #expect(error.recordID == CloudRecordID("s5"))
        #expect(error.field == "state")
        #expect(error.message.contains("s5"))
        #expect(error.message.contains("state"))
        #expect(error.message.contains("paused"))
        #expect(!error.remedy.isEmpty)
    }

    @Test func `of ten records of which one can't be mapped, nine are delivered and one is reported`() async throws {
        try await saveSignals()
        let reported = Mutex<[CloudError]>([])
        dao.mappingFailureHandler = { error in reported.withLock { $0.append(error) } }
        let found = try await dao.query(Signal.self, orderBy: .ascending(\.title))
        #expect(found.map(\.recordID.recordName) == Self.others)
        #expect(found.allSatisfy { $0.state == .stopped })
        let errors = reported.withLock { $0 }
        #expect(errors.count == 1)
        check(try #require(errors.first))
    }

    @Test func `a query with handlers reports it once too, and calls no error handler`() async throws {
        try await saveSignals()
        let reported = Mutex<[CloudError]>([])
        dao.mappingFailureHandler = { error in reported.withLock { $0.append(error) } }
        let calls = await HandlerReport.calls { handlers in
            dao.query(
                Signal(),
                orderBy: .ascending("title"),
                batchSize: 3,
                completionHandler: { results, isFinished in
                    handlers.completed("\(results.count) \(isFinished)")
                    return true
                },
                errorHandler: { handlers.failed($0) }
            )
        }
        #expect(calls.completions == ["3 false", "5 false", "8 false", "9 true"])
        #expect(calls.errors.isEmpty)
        #expect(reported.withLock { $0.map(\.recordID) } == [CloudRecordID("s5")])
    }

    @Test func `a batch holds the failures of its own page`() async throws {
        try await saveSignals()
        dao.mappingFailureHandler = { _ in }
        var objects: [[String]] = []
        var failures: [[CloudError]] = []
        for try await batch in dao.batches(of: Signal.self, orderBy: .ascending(\.title), batchSize: 5) {
            objects.append(batch.map(\.recordID.recordName))
            failures.append(batch.failures)
        }
        #expect(objects == [["s0", "s1", "s2", "s3", "s4"], ["s6", "s7", "s8", "s9"]])
        #expect(failures.map(\.count) == [0, 1])
        check(try #require(failures.last?.first))
    }

    @Test func `fetching such a record by its ID throws`() async throws {
        try await saveSignals()
        let error = await #expect(throws: CloudError.self) { try await dao.fetch(Signal.self, "s5") }
        check(try #require(error))
        let calls = await HandlerReport.calls { handlers in
            dao.getItem(
                "s5",
                completionHandler: { (signal: Signal) in handlers.completed(signal.title) },
                errorHandler: { handlers.failed($0) }
            )
        }
        #expect(calls.completions.isEmpty)
        #expect(calls.errors.count == 1)
        check(try #require(calls.errors.first))
    }

    @Test func `fetching ten by their IDs gives nine objects and one error`() async throws {
        try await saveSignals()
        let results = try await dao.fetch(Signal.self, (0...9).map { CloudRecordID("s\($0)") })
        #expect(results.compactMap { try? $0.get().recordID.recordName } == Self.others)
        guard case .failure(let error)? = results.dropFirst(5).first else {
            Issue.record("s5 was loaded")
            return
        }
        check(error)
    }

    @Test func `a value that this build does not know survives saving the other records`() async throws {
        try await saveSignals()
        dao.mappingFailureHandler = { _ in }
        let found = try await dao.query(Signal.self)
        for signal in found { signal.title += "!" }
        try await dao.save(found)
        #expect(try await storedState() == .paused)
    }

    @Test func `an unknown value in an optional is nil, and survives saving that very record`() async throws {
        try await saveSignals()
        let signal = try #require(try await dao.fetch(LenientSignal.self, "s5"))
        #expect(signal.state == nil)
        for title in ["changed", "changed again"] {
            signal.title = title
            try await dao.save(signal)
            #expect(try await storedState() == .paused)
        }
        #expect(try await dao.fetch(NewerSignal.self, "s5")?.title == "changed again")
        signal.state = .running
        try await dao.save(signal)
        #expect(try await storedState() == .running)
        signal.state = nil
        try await dao.save(signal)
        #expect(try await dao.query(Signal.self, predicate: "state == nil").count == 1)
    }

    @Test(arguments: [CloudSavePolicy.allKeys, .changedKeys])
    func `an unknown value survives every save policy`(policy: CloudSavePolicy) async throws {
        try await saveSignals()
        let signal = try #require(try await dao.fetch(LenientSignal.self, "s5"))
        signal.title = "changed"
        try await dao.save(signal, savePolicy: policy)
        #expect(try await storedState() == .paused)
    }

    @Test func `an unknown value is loaded as the enum's fallback, and survives saving`() async throws {
        try await saveSignals()
        let signal = try #require(try await dao.fetch(FallbackSignal.self, "s5"))
        #expect(signal.state == .other)
        signal.title = "changed"
        try await dao.save(signal)
        #expect(try await storedState() == .paused)
        signal.state = .stopped
        try await dao.save(signal)
        #expect(try await storedState() == .stopped)
    }

    // MARK: What another tool has written

    @Test func `a text where a number should be is reported, and survives`() async throws {
        let folder = try TestFolder()
        let path = folder.path("tally.sqlite")
        let dao = CloudDao(store: try SQLiteStore(path: path))
        let reported = Mutex<[CloudError]>([])
        dao.mappingFailureHandler = { error in reported.withLock { $0.append(error) } }
        try await dao.save((0...9).map { Tally("t\($0)", $0) })
        try execute(#"UPDATE "Tally" SET "count" = 'twelve' WHERE "count" = 5"#, in: path)
        let found = try await dao.query(Tally.self, orderBy: .ascending(\.title))
        #expect(found.map(\.count) == [0, 1, 2, 3, 4, 6, 7, 8, 9])
        let errors = reported.withLock { $0 }
        #expect(errors.count == 1)
        let error = try #require(errors.first)
        #expect(error.code == .mappingFailed)
        #expect(error.recordID == CloudRecordID("t5"))
        #expect(error.field == "count")
        #expect(error.message.contains("twelve"))
        #expect(!error.remedy.isEmpty)
        await #expect(throws: CloudError.self) { try await dao.fetch(Tally.self, "t5") }
        for tally in found { tally.title += "!" }
        try await dao.save(found)
        #expect(try texts(#"SELECT "count" FROM "Tally" WHERE typeof("count") = 'text'"#, in: path) == ["twelve"])
    }

    private func execute(_ sql: String, in path: String) throws {
        _ = try texts(sql, in: path)
    }

    /// Runs SQL past the store, as another tool would, and returns the first column.
    private func texts(_ sql: String, in path: String) throws -> [String] {
        var database: OpaquePointer?
        try #require(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
        defer { sqlite3_close(database) }
        var statement: OpaquePointer?
        try #require(
            sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK,
            "\(String(cString: sqlite3_errmsg(database)))"
        )
        defer { sqlite3_finalize(statement) }
        var texts: [String] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: texts.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "NULL")
            case SQLITE_DONE: return texts
            default: throw CloudError(.internalError, String(cString: sqlite3_errmsg(database)))
            }
        }
    }
}

private final class Tally: CloudDataObject {
    var title = ""
    var count = 0

    convenience init(_ recordName: String, _ count: Int) {
        self.init()
        recordID = CloudRecordID(recordName)
        title = recordName
        self.count = count
    }
}
