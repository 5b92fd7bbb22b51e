import CloudKitDaoTestSupport
import Foundation
import StoreExerciser
import Testing

extension Reliability {
    /// The program is killed again and again, on a few databases, and the file must be whole each time.
    ///
    /// RELIABILITY_KILLS says how often, and RELIABILITY_SEED, which every run prints, repeats the choice of times.
    @Suite("CrashRecovery")
    struct CrashRecovery {
        private static let killCount = setting("RELIABILITY_KILLS", default: 200)
        private static let databaseCount = 10
        private static let seed = {
            let seed = UInt64(setting("RELIABILITY_SEED", default: Int.random(in: 0..<1_000_000)))
            print("CrashRecovery: RELIABILITY_SEED=\(seed)")
            return seed
        }()

        @Test(
            "A process that is killed at any moment leaves all that it has saved, and nothing by halves",
            arguments: 0..<databaseCount
        )
        func killed(_ database: Int) async throws {
            var generator = SeededGenerator(seed: Self.seed &+ UInt64(database))
            let folder = try TestFolder()
            var state = CrashedDatabase(in: folder)
            try state.makeFolder()
            var (beforeOpening, beforeSaving, saved) = (0, 0, 0)
            for number in 0..<max(1, Self.killCount / Self.databaseCount) {
                // Half of them hit while the file is made or opened, the others mostly while batches are saved.
                let delay = Int.random(in: 0...(number.isMultiple(of: 2) ? 12_000 : 400_000), using: &generator)
                let lines = try await Self.linesUntilKilled(after: .microseconds(delay), state)
                if !lines.contains("opened") { beforeOpening += 1 }
                let batches = lines.filter { $0.hasPrefix("saved ") }
                if batches.isEmpty { beforeSaving += 1 }
                saved += batches.count
                let comment = "seed \(Self.seed), database \(database), kill \(number), \(delay) µs after the start"
                // What was killed is looked at in its place, or in a copy: then the next process finds it as it was left.
                if Bool.random(using: &generator) {
                    try await state.check(afterSaving: batches, "\(comment)")
                } else {
                    try await state.checkCopy(afterSaving: batches, "\(comment)")
                }
            }
            print(
                "  killed \(beforeOpening) times before it was open, \(beforeSaving) before a batch; \(saved) batches"
            )
        }

        @Test("A process that is killed while it makes the file leaves one that can be opened and used")
        func killedAtFirst() async throws {
            var generator = SeededGenerator(seed: Self.seed &+ UInt64(Self.databaseCount))
            var beforeOpening = 0
            for number in 0..<max(1, Self.killCount / 5) {
                let folder = try TestFolder()
                var state = CrashedDatabase(in: folder)
                try state.makeFolder()
                for attempt in 0..<2 {
                    let delay = Int.random(in: 0...16_000, using: &generator)
                    let lines = try await Self.linesUntilKilled(after: .microseconds(delay), state)
                    if !lines.contains("opened") { beforeOpening += 1 }
                    let comment = "seed \(Self.seed), file \(number), kill \(attempt), \(delay) µs after the start"
                    try await state.checkCopy(afterSaving: lines.filter { $0.hasPrefix("saved ") }, "\(comment)")
                }
                try await state.check(afterSaving: [], "seed \(Self.seed), file \(number)")
            }
            print("  killed \(beforeOpening) times before it was open")
        }

        private static func linesUntilKilled(after delay: Duration, _ state: CrashedDatabase) async throws -> [String] {
            let process = try ExerciserProcess("save-batches", state.path, try state.freshSources().path)
            try await process.line("started")
            // The point of time is what is tested here, so no event can be waited for.
            try await Task.sleep(for: delay)
            process.kill()
            var lines: [String] = []
            for await line in process.lines { lines.append(line) }
            let code = await process.exitCode()
            #expect(code == -SIGKILL, "\(lines.last ?? "no line")")
            return lines
        }
    }
}
