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

/// The bytes of memory that the process holds; nil where the system does not tell.
func residentMemory() -> Int? {
    // The second number of the file is the count of resident pages.
    guard let statement = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
    let numbers = statement.split(separator: " ")
    guard numbers.count > 1, let pages = Int(numbers[1]) else { return nil }
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
}

/// A figure with two decimals.
func decimal(_ figure: Double) -> String {
    String(format: "%.2f", figure)
}
