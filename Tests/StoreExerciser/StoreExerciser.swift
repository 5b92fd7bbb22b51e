import CloudKitDao
import Foundation

/// A program that works on a database file, for tests that need other processes: to kill them, or to compete with.
///
/// The first argument says what to do, the second is the path of the database. What happens is reported in lines on
/// the standard output. It ends with an error code when anything went wrong that an app would have seen.
@main
enum StoreExerciser {
    static func main() async {
        do {
            try await run(Arguments(CommandLine.arguments.dropFirst()))
        } catch {
            Report.line("error \(error)")
            exit(1)
        }
    }

    private static func run(_ arguments: Arguments) async throws {
        let path = try arguments.text(1)
        switch try arguments.text(0) {
        case "save-batches":
            try await BatchSaver.run(path, sources: URL(filePath: try arguments.text(2)))
        case "write-pairs":
            try await PairWriter.run(path, name: try arguments.text(2), duration: .seconds(try arguments.number(3)))
        case "read-pairs":
            try await PairReader.run(path, duration: .seconds(try arguments.number(2)))
        case "count":
            try await Counting.run(path, tasks: try arguments.number(2), increments: try arguments.number(3))
        case "open":
            try await Opening.run(path, name: try arguments.text(2), gate: try arguments.text(3))
        case "fill":
            let (name, gate) = (try arguments.text(2), try arguments.text(4))
            try await Filling.run(path, name: name, duration: .seconds(try arguments.number(3)), gate: gate)
        case "share-assets":
            let (name, gate) = (try arguments.text(2), try arguments.text(4))
            try await AssetSharing.run(path, name: name, duration: .seconds(try arguments.number(3)), gate: gate)
        case "exchange":
            let (count, stop) = (try arguments.number(3), try arguments.number(4))
            try await Exchanging.run(path, name: try arguments.text(2), count: count, stop: stop)
        case "grow":
            let gate = try arguments.text(4)
            try await Growing.run(path, name: try arguments.text(2), count: try arguments.number(3), gate: gate)
        case "carry-asset":
            try await LargeAsset.run(path, source: URL(filePath: try arguments.text(2)), size: try arguments.number(3))
        case "limited-files":
            try await LimitedFiles.run(path, folder: URL(filePath: try arguments.text(2)))
        case let other:
            throw Surprise("there is no work called \(other)")
        }
    }
}

/// The words that the program was started with.
struct Arguments {
    private let words: [String]

    init(_ words: some Sequence<String>) {
        self.words = Array(words)
    }

    func text(_ index: Int) throws -> String {
        guard words.indices.contains(index) else { throw Surprise("argument \(index) is missing") }
        return words[index]
    }

    func number(_ index: Int) throws -> Int {
        guard let number = Int(try text(index)) else { throw Surprise("argument \(index) is no number") }
        return number
    }
}

/// Something that must not happen.
struct Surprise: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// What the program says.
enum Report {
    /// Writes a line at once: a process that is killed has said all that it said.
    static func line(_ text: String) {
        let bytes = Array("\(text)\n".utf8)
        _ = write(STDOUT_FILENO, bytes, bytes.count)
    }
}
