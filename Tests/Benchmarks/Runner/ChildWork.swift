import CloudKitDao
import Foundation

/// What this program does when it has started itself, for work that needs a process of its own.
enum ChildWork {
    /// Nothing at all: what a process costs.
    case nothing
    /// Opens a store and fetches one object.
    case firstFetch(store: String, recordName: String)
    /// The same by hand.
    case firstFloorFetch(database: String, recordName: String)
    /// Reads all pages of a store and writes the growth of memory into a file.
    case paging(store: String, result: String)
    /// Repeats an operation whose instructions and allocations are counted.
    case operation(String, repetitions: Int, folder: String)

    private static let option = "--child"

    static func isWanted(by arguments: [String]) -> Bool { arguments.first == option }

    /// Nil if the program was started by its user.
    init?(_ arguments: [String]) throws {
        guard Self.isWanted(by: arguments) else { return nil }
        switch (arguments.dropFirst().first, arguments.dropFirst(2).map { $0 }) {
        case ("nothing", _): self = .nothing
        case ("first-fetch", let rest) where rest.count == 2: self = .firstFetch(store: rest[0], recordName: rest[1])
        case ("first-floor-fetch", let rest) where rest.count == 2:
            self = .firstFloorFetch(database: rest[0], recordName: rest[1])
        case ("paging", let rest) where rest.count == 2: self = .paging(store: rest[0], result: rest[1])
        case ("operation", let rest) where rest.count == 3:
            self = .operation(rest[0], repetitions: Int(rest[1]) ?? 0, folder: rest[2])
        default: throw UsageError("unknown work of a child: \(arguments)")
        }
    }

    /// The arguments that make this program do the work.
    var arguments: [String] {
        switch self {
        case .nothing: [Self.option, "nothing"]
        case .firstFetch(let store, let name): [Self.option, "first-fetch", store, name]
        case .firstFloorFetch(let database, let name): [Self.option, "first-floor-fetch", database, name]
        case .paging(let store, let result): [Self.option, "paging", store, result]
        case .operation(let name, let repetitions, let folder):
            [Self.option, "operation", name, "\(repetitions)", folder]
        }
    }

    func start() throws {
        try ChildProcess.run(ChildProcess.ownPath(), arguments)
    }

    func run() async throws {
        switch self {
        case .nothing:
            break
        case .firstFetch(let path, let name):
            let store = try SQLiteStore(path: path)
            let reading = try await CloudDao(store: store).fetch(Reading.self, name)
            guard reading?.title.isEmpty == false else { throw UsageError("no object \(name)") }
            await store.close()
        case .firstFloorFetch(let path, let name):
            let database = try FloorDatabase(path: path, role: .reader)
            guard let reading = try database.fetch(name), !reading.title.isEmpty else {
                throw UsageError("no row \(name)")
            }
        case .paging(let path, let result):
            try await PagingMemory.measure(path).write(to: result)
        case .operation(let name, let repetitions, let folder):
            guard let operation = Operation(rawValue: name) else { throw UsageError("no operation \(name)") }
            try await operation.repeat(repetitions, in: URL(filePath: folder))
        }
    }
}
