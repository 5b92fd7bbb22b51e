import CSQLite
import Foundation

/// What a measurement depends on besides the code.
struct MachineEnvironment: Codable, Equatable {
    let compiler: String
    let sqlite: String
    let system: String
    let processor: String
    let cores: Int

    init(compiler: String?) {
        self.compiler = compiler ?? "not told"
        sqlite = String(cString: sqlite3_libversion())
        system = ProcessInfo.processInfo.operatingSystemVersionString
        processor = Self.processorName ?? "not told"
        cores = ProcessInfo.processInfo.activeProcessorCount
    }

    private static var processorName: String? {
        guard let text = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
        return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
