import Foundation

/// A count that valgrind makes of a whole process.
struct Valgrind {
    private let tool: String
    /// The start of the line of its report with the count, and what stands before the count there.
    private let line: String
    private let label: String

    static let instructions = Valgrind(tool: "callgrind", line: "Collected :", label: "Collected : ")
    static let allocations = Valgrind(tool: "dhat", line: "Total:", label: " in ")

    func count(_ work: ChildWork) throws -> Int {
        let report = FileManager.default.temporaryDirectory.appending(path: "valgrind-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: report) }
        try ChildProcess.run(
            "valgrind",
            [
                "--tool=\(tool)", "--\(tool)-out-file=/dev/null", "--log-file=\(report.path)",
                try ChildProcess.ownPath(),
            ] + work.arguments,
            // A hash table's order, and so its work, would change from run to run.
            environment: ["SWIFT_DETERMINISTIC_HASHING": "1"]
        )
        let text = try String(contentsOf: report, encoding: .utf8)
        guard let count = count(in: text) else { throw UsageError("valgrind reported no count:\n\(text)") }
        return count
    }

    private func count(in report: String) -> Int? {
        guard let line = report.split(separator: "\n").first(where: { $0.contains(line) }),
            let start = line.range(of: label)?.upperBound
        else { return nil }
        return Int(line[start...].prefix { $0.isNumber || $0 == "," }.filter(\.isNumber))
    }
}
