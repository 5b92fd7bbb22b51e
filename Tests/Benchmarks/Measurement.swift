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

/// The bytes of memory that the process holds for itself, without mapped files; nil where the system does not tell.
func anonymousMemory() -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
    let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
    return line?.split(separator: " ").compactMap { Int($0) }.first.map { $0 * 1_024 }
}

/// A figure with two decimals.
func decimal(_ figure: Double) -> String {
    String(format: "%.2f", figure)
}
