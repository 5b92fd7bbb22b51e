import CloudKitDao
import CloudKitDaoTestSupport
import StoreExerciser
import Testing

extension Reliability {
    /// Two processes that change records and hear of each other's changes, of which one is killed again and again.
    @Suite("NotificationExchange")
    struct NotificationExchange {
        /// RELIABILITY_CHANGES says how many changes each process makes.
        @Test("Each process hears of every change of the other one, in order, whenever it is killed")
        func nothingLost() async throws {
            let count = setting("RELIABILITY_CHANGES", default: 1_000)
            let folder = try TestFolder()
            let path = folder.path("exchange.sqlite")
            // Both subscribe before any of them begins to write.
            for name in ["ann", "bob"] {
                let process = try ExerciserProcess("exchange", path, name, "0", "0")
                try await process.line("listening")
                process.kill()
                _ = await process.exitCode()
            }
            let bob = try ExerciserProcess("exchange", path, "bob", "\(count)", "\(count)")
            var heard: [Int] = []
            var kills = 0
            for stop in [count / 8, count / 4, count / 3, count / 2, count] {
                let ann = try ExerciserProcess("exchange", path, "ann", "\(count)", "\(stop)")
                for await line in ann.lines {
                    guard let number = Self.number(line) else { continue }
                    heard.append(number)
                    if number == stop { ann.kill() }
                }
                if stop < count {
                    kills += 1
                    _ = await ann.exitCode()
                } else {
                    #expect(await ann.exitCode() == 0)
                }
            }
            let heardByBob = try await bob.finish("heard").compactMap { Int($0) }
            #expect(heardByBob == Array(0..<count))
            // What it had reported but not yet marked as read when it was killed comes once more.
            var distinct: [Int] = []
            var repeated = 0
            for number in heard {
                if number == distinct.last { repeated += 1 } else { distinct.append(number) }
            }
            #expect(distinct == Array(0..<count))
            #expect(repeated == kills)
        }

        private static func number(_ line: String) -> Int? {
            line.hasPrefix("heard ") ? Int(line.dropFirst(6)) : nil
        }
    }
}
