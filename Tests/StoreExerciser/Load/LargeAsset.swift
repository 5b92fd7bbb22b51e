import CloudKitDao
import Foundation

/// Carries a large file through save and fetch, and reports by how much the process grew.
enum LargeAsset {
    /// - Parameter size: In megabytes.
    static func run(_ path: String, source: URL, size: Int) async throws {
        let store = try SQLiteStore(path: path)
        // A small one first, so that only what is due to the size is counted.
        try write(1, to: source)
        try await carry(source, 1, in: store, name: "small")
        try write(size, to: source)
        let before = try peakMemory()
        let duration = try await ContinuousClock().measure {
            try await carry(source, size, in: store, name: "large")
        }
        Report.line("grown \(try peakMemory() - before)")
        Report.line("note \(size) MB through save and fetch in \(duration.formatted(.units(allowed: [.milliseconds])))")
    }

    private static func carry(_ source: URL, _ size: Int, in store: SQLiteStore, name: String) async throws {
        var record = CloudRecord(recordType: "Large", recordID: CloudRecordID(name))
        record["file"] = .asset(CloudAsset(fileURL: source))
        guard try await store.saveUnchanged([record]) != nil else { throw Surprise("a new record was changed") }
        guard let asset = try await store.record(name)?["file"]?.assetValue else { throw Surprise("no asset") }
        let file = try FileHandle(forReadingFrom: asset.fileURL)
        defer { try? file.close() }
        for number in 0..<size {
            guard try file.read(upToCount: megabyte) == block(number) else { throw Surprise("block \(number) differs") }
        }
        guard try file.read(upToCount: 1) == nil else { throw Surprise("the file is too long") }
    }

    private static let megabyte = 1 << 20

    private static func write(_ size: Int, to url: URL) throws {
        guard FileManager.default.createFile(atPath: url.path, contents: nil) else { throw Surprise("no source") }
        let file = try FileHandle(forWritingTo: url)
        for number in 0..<size { try file.write(contentsOf: block(number)) }
        try file.close()
    }

    /// A megabyte that differs from the others.
    private static func block(_ number: Int) -> Data {
        var data = Data(count: megabyte)
        withUnsafeBytes(of: number.littleEndian) { data.replaceSubrange(0..<$0.count, with: $0) }
        return data
    }

    /// The most memory that the process has had so far, in bytes.
    private static func peakMemory() throws -> Int {
        #if canImport(Darwin)
        var usage = rusage()
        guard getrusage(RUSAGE_SELF, &usage) == 0 else { throw Surprise("the memory can't be measured") }
        return usage.ru_maxrss
        #else
        // The usage that the system counts for the process begins with that of its parent; this doesn't.
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        guard let kilobytes = line?.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Int($0) }) else {
            throw Surprise("the memory can't be measured")
        }
        return kilobytes << 10
        #endif
    }
}
