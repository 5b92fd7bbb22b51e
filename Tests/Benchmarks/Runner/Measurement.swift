import Foundation

/// The middle one of some figures.
func median(_ figures: [Double]) -> Double {
    let sorted = figures.sorted()
    guard !sorted.isEmpty else { return .nan }
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}

extension Duration {
    var nanoseconds: Double {
        Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
    }
}

/// The nanoseconds that some work takes for each of its items. What it returns is freed afterwards, off the clock.
func nanoseconds<Value>(per items: Int, _ work: () throws -> Value) rethrows -> Double {
    let start = ContinuousClock.now
    let value = try work()
    let end = ContinuousClock.now
    withExtendedLifetime(value) {}
    return (end - start).nanoseconds / Double(items)
}

/// The same for asynchronous work.
func nanoseconds<Value>(per items: Int, _ work: () async throws -> Value) async rethrows -> Double {
    let start = ContinuousClock.now
    let value = try await work()
    let end = ContinuousClock.now
    withExtendedLifetime(value) {}
    return (end - start).nanoseconds / Double(items)
}

/// The memory of this process, in bytes.
struct MemoryUse {
    /// What it holds for itself, without mapped files.
    let anonymous: Int
    /// All of its memory that is resident, with the pages of mapped files that the system could drop at any time.
    let resident: Int

    /// Nil where the system does not tell.
    static var current: MemoryUse? {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
        func bytes(_ name: String) -> Int? {
            let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
            return line?.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first.map { $0 * 1_024 }
        }
        guard let anonymous = bytes("RssAnon"), let resident = bytes("VmRSS") else { return nil }
        return MemoryUse(anonymous: anonymous, resident: resident)
    }
}
