import CloudKitDao
import CloudKitDaoTestSupport
import Foundation
import SQLStore
import StoreExerciser
import Testing

extension Reliability {
    /// Several processes that have one file open.
    @Suite("ManyProcesses")
    struct ManyProcesses {
        private let folder: TestFolder
        private let path: String

        init() throws {
            folder = try TestFolder()
            path = folder.path("shared.sqlite")
        }

        /// RELIABILITY_SECONDS says for how long.
        @Test("4 writers and 4 readers never see an error or half a batch, and the log stays small")
        func pairs() async throws {
            let seconds = setting("RELIABILITY_SECONDS", default: 20)
            let store = try SQLiteStore(path: path)
            try await PairReader.makePairs(in: store)
            let readers = try (0..<4).map { _ in try ExerciserProcess("read-pairs", path, "\(seconds)") }
            let writers = try (0..<4).map { try ExerciserProcess("write-pairs", path, "w\($0)", "\(seconds)") }
            var written = 0
            for writer in writers {
                written += try await writer.finish("wrote").compactMap { Int($0) }.reduce(0, +)
            }
            var largestLog = 0
            for reader in readers {
                largestLog = max(largestLog, try await reader.finish("log").compactMap { Int($0) }.max() ?? 0)
            }
            print("  \(written) batches in \(seconds) s, the log had up to \(largestLog >> 10) KB")
            #expect(written > 0)
            // It is begun anew from 32 MB on, or when the reads let it; without that it would have had 300 MB after 10 s.
            #expect(largestLog > 0 && largestLog < 128 << 20)
            let pairs = try await store.page(CloudQuery(recordType: "Pair"), after: nil, limit: 100).records
            #expect(pairs.reduce(0) { $0 + $1.count } == Int64(2 * written))
            let writerRecords = try await store.page(CloudQuery(recordType: "Writer"), after: nil, limit: 100).records
            #expect(writerRecords.reduce(0) { $0 + $1.count } == Int64(written))
            #expect(try PlainSQL.run("SELECT count(*) FROM \"Entry\"", path) == ["\(written)"])
            #expect(try PlainSQL.run("PRAGMA integrity_check", path) == ["ok"])
        }

        @Test("Two processes that read, change and save 1,000 times each lose nothing, while a long read goes on")
        func longRead() async throws {
            let increments = setting("RELIABILITY_SAVES", default: 1_000)
            let store = try SQLiteStore(path: path)
            try await makeCounter(in: store)
            let processes = try (0..<2).map { _ in try ExerciserProcess("count", path, "1", "\(increments)") }
            try await processes[0].line("counted 100")
            // Open from the hundredth save of one process to the end of both.
            let isDone = DispatchSemaphore(value: 0)
            async let read: (first: Int64, last: Int64) = store.driver.read { connection in
                let first = try Self.counter(connection)
                isDone.wait()
                return (first, try Self.counter(connection))
            }
            do {
                defer { isDone.signal() }
                for process in processes { _ = try await process.finish("counted") }
            }
            let seen = try await read
            #expect(seen.first >= 100 && seen.first == seen.last)
            #expect(try await store.record(Counting.recordID.recordName)?.count == Int64(2 * increments))
            #expect(try PlainSQL.run("PRAGMA integrity_check", path) == ["ok"])
        }

        @Test("Each of 4 writers that save large batches without a pause gets its turn")
        func largeBatches() async throws {
            let seconds = max(1, setting("RELIABILITY_SECONDS", default: 20) / 2)
            let filled = try await startTogether(
                (0..<4).map { number in { try ExerciserProcess("fill", path, "w\(number)", "\(seconds)", $0) } },
                reporting: "filled"
            )
            let counts = filled.compactMap { Int($0) }
            #expect(counts.count == 4 && counts.allSatisfy { $0 > 0 })
            #expect(try PlainSQL.run("SELECT count(*) FROM \"Filled\"", path) == ["\(counts.reduce(0, +))"])
            #expect(try PlainSQL.run("PRAGMA integrity_check", path) == ["ok"])
        }

        @Test("Assets that one process replaces and deletes stay readable for another one that holds them")
        func assets() async throws {
            let seconds = max(1, setting("RELIABILITY_SECONDS", default: 20) / 3)
            try await startTogether(
                (0..<3).map { number in { try ExerciserProcess("share-assets", path, "a\(number)", "\(seconds)", $0) } }
            )
            let store = try SQLiteStore(path: path)
            try await store.collectAssets()
            let files = try FileManager.default.contentsOfDirectory(atPath: path + "-assets")
            #expect(files.filter { !$0.hasPrefix(".client-") }.isEmpty)
        }

        @Test("20 processes can make and open one new file at the same moment", arguments: 0..<3)
        func opening(_ round: Int) async throws {
            let names = (0..<20).map { "p\($0)" }
            try await startTogether(names.map { name in { try ExerciserProcess("open", path, name, $0) } })
            let store = try SQLiteStore(path: path)
            let records = try await store.page(CloudQuery(recordType: "Opened"), after: nil, limit: 100).records
            #expect(Set(records.map(\.recordID.recordName)) == Set(names))
            #expect(Set(records.map(\.recordChangeTag)).count == names.count)
            #expect(try PlainSQL.run("PRAGMA integrity_check", path) == ["ok"])
        }

        @Test("Two processes can add the same and different types and fields at the same time")
        func growing() async throws {
            let count = 40
            let names = ["left", "right"]
            try await startTogether(
                names.map { name in { try ExerciserProcess("grow", path, name, "\(count)", $0) } }
            )
            let store = try SQLiteStore(path: path)
            for name in names {
                for number in 0..<count {
                    let record = try #require(try await store.record("\(name)-\(number)"))
                    #expect(record.recordType == "Type\(number % Growing.typeCount)")
                    #expect(record["shared\(number)"] == .int64(Int64(number)))
                    #expect(record["only\(name)\(number)"] == .string(name))
                }
            }
            let columns = try PlainSQL.run("SELECT count(*) FROM _fields", path)
            #expect(columns == ["\(3 * count)"])
            #expect(try PlainSQL.run("PRAGMA integrity_check", path) == ["ok"])
        }

        private static func counter(_ connection: any SQLConnection) throws -> Int64 {
            let statement = try connection.statement("SELECT \"n\" FROM \"Counter\"")
            defer { statement.reset() }
            return try statement.step() ? statement.integer(at: 0) : -1
        }

        /// Starts processes that wait for a gate, opens it, and waits for their end.
        ///
        /// - Returns: What they report after a word.
        @discardableResult
        private func startTogether(
            _ starts: [(_ gate: String) throws -> ExerciserProcess],
            reporting word: String = "ready"
        ) async throws -> [String] {
            let gatePath = folder.path("gate")
            let gate = try Gate(gatePath)
            let processes = try starts.map { try $0(gatePath) }
            for process in processes { try await process.line("ready") }
            try gate.open()
            var words: [String] = []
            for process in processes { words += try await process.finish(word) }
            return words
        }
    }
}

/// Saves the counter that processes count with.
func makeCounter(in store: SQLiteStore) async throws {
    var record = CloudRecord(recordType: "Counter", recordID: Counting.recordID)
    record.count = 0
    _ = try #require(try await store.saveUnchanged([record]))
}
