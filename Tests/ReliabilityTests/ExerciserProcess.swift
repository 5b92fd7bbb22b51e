import Foundation
import Synchronization
import Testing

/// A running program that works on a database.
final class ExerciserProcess: Sendable {
    /// What it says, line by line, up to its end.
    let lines: AsyncStream<String>
    private let processID: pid_t
    private let end: End

    /// Starts the program.
    init(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = try Self.program.get()
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        let end = End()
        self.end = end
        process.terminationHandler = { end.note($0) }
        try process.run()
        processID = process.processIdentifier
        lines = Self.lines(of: output)
    }

    deinit {
        kill()
    }

    /// Ends the program as a crash would: it can't do anything about it.
    func kill() {
        end.unlessEnded { _ = Foundation.kill(processID, SIGKILL) }
    }

    /// Waits until the program has ended.
    ///
    /// - Returns: Its exit code, or the negative number of the signal that ended it.
    func exitCode() async -> Int32? {
        await end.code()
    }

    /// Waits for a line.
    func line(_ expected: String) async throws {
        for await line in lines where line == expected { return }
        throw Unexpected("the program ended without the line \(expected)")
    }

    /// Waits until the program has ended well.
    ///
    /// - Returns: The words of the lines that begin with a word.
    func finish(_ word: String) async throws -> [String] {
        var words: [String] = []
        var last = ""
        for await line in lines {
            last = line
            if line.hasPrefix("note ") { print("  \(line.dropFirst(5))") }
            if line.hasPrefix("\(word) ") { words.append(String(line.dropFirst(word.count + 1))) }
        }
        let code = await exitCode()
        guard code == 0 else { throw Unexpected("the program ended with \(code ?? -1), its last line is \(last)") }
        return words
    }

    /// The output in lines; a last one without an end is left out.
    private static func lines(of pipe: Pipe) -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream<String>.makeStream()
        // Reading blocks, so it has a thread of its own.
        Thread.detachNewThread {
            var rest: [UInt8] = []
            while true {
                let data = pipe.fileHandleForReading.availableData
                if data.isEmpty { break }
                rest += data
                let pieces = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                for piece in pieces.dropLast() { continuation.yield(String(decoding: piece, as: UTF8.self)) }
                rest = Array(pieces.last ?? [])
            }
            continuation.finish()
        }
        return stream
    }

    // MARK: The program

    /// The program beside the bundle of the tests, wherever that was built.
    private static let program = Result {
        let places = CommandLine.arguments.filter { $0.hasPrefix("/") } + [Bundle.main.bundlePath]
        for place in places + Bundle.allBundles.map(\.bundlePath) {
            var folder = URL(filePath: place).standardizedFileURL
            while folder.path != "/" {
                let program = folder.appending(path: "StoreExerciser")
                var isFolder = false
                if FileManager.default.fileExists(atPath: program.path, isDirectory: &isFolder), !isFolder {
                    return program
                }
                folder.deleteLastPathComponent()
            }
        }
        throw Unexpected("StoreExerciser is not beside the tests: \(places)")
    }
}

/// Something that a test can't go on after.
struct Unexpected: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// How a program ended.
private final class End: Sendable {
    private let hasEnded = Mutex(false)
    private let stream = AsyncStream<Int32>.makeStream()

    func note(_ process: Process) {
        let code = process.terminationStatus
        hasEnded.withLock { $0 = true }
        stream.continuation.yield(process.terminationReason == .exit ? code : -code)
        stream.continuation.finish()
    }

    /// Its number may belong to another program when it has ended.
    func unlessEnded(_ body: () -> Void) {
        hasEnded.withLock { if !$0 { body() } }
    }

    func code() async -> Int32? {
        for await code in stream.stream { return code }
        return nil
    }
}
