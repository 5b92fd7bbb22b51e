import Foundation

/// Counts the instructions and allocations of each operation under valgrind, on small inputs, and compares them with
/// what was written down: unlike times they hardly change from one run to the next.
struct CostCheck {
    /// How far a count may lie above the one that was written down.
    static let tolerance = 0.03

    private let workspace: Workspace
    private let environment: MachineEnvironment

    init(_ workspace: Workspace, _ environment: MachineEnvironment) {
        self.workspace = workspace
        self.environment = environment
    }

    func record(to file: URL) async throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let costs = RecordedCosts(
            compiler: environment.compiler,
            sqlite: environment.sqlite,
            operations: try await count()
        )
        try (encoder.encode(costs) + Data("\n".utf8)).write(to: file)
    }

    /// Prints each count beside the recorded one.
    ///
    /// - Throws: If one lies above it by more than the tolerance. Counts of another compiler or SQLite are only printed:
    ///   they differ with the same code.
    func compare(with file: URL) async throws {
        let recorded = try JSONDecoder().decode(RecordedCosts.self, from: Data(contentsOf: file))
        let isComparable = recorded.compiler == environment.compiler && recorded.sqlite == environment.sqlite
        var risen: [String] = []
        let counted = try await count()
        print("Against what was recorded:")
        for (name, cost) in counted.sorted(by: { $0.key < $1.key }) {
            guard let before = recorded.operations[name] else {
                risen.append("\(name) has not been recorded")
                continue
            }
            let changes = [
                ("instructions", cost.instructions / before.instructions - 1),
                // One more for many objects is no matter, even where there were nearly none.
                ("allocations", (cost.allocations - before.allocations) / max(before.allocations, 1)),
            ]
            for (what, change) in changes where change > Self.tolerance {
                risen.append("\(name): \(decimal(change * 100)) % more \(what)")
            }
            print("\(name): " + changes.map { "\($0.0) \(decimal($0.1 * 100)) %" }.joined(separator: ", "))
        }
        guard isComparable else {
            print(
                """
                Not compared: recorded with \(recorded.compiler) and SQLite \(recorded.sqlite), these are \
                \(environment.compiler) and \(environment.sqlite). Record anew with --record.
                """
            )
            return
        }
        guard risen.isEmpty else { throw UsageError("costs have risen:\n" + risen.joined(separator: "\n")) }
        print("No count has risen by more than \(decimal(Self.tolerance * 100)) %.")
    }

    // MARK: Counting

    private func count() async throws -> [String: RecordedCosts.Cost] {
        let folder = workspace.folder.appending(path: "operations")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try await Operation.prepare(folder)
        var costs: [String: RecordedCosts.Cost] = [:]
        for operation in Operation.allCases {
            let cost = RecordedCosts.Cost(
                instructions: try count(operation, folder, Valgrind.instructions),
                allocations: try count(operation, folder, Valgrind.allocations)
            )
            print(
                operation.rawValue.padding(toLength: 22, withPad: " ", startingAt: 0),
                "\(decimal(cost.instructions)) instructions, \(decimal(cost.allocations)) allocations an object"
            )
            costs[operation.rawValue] = cost
        }
        return costs
    }

    /// What one object costs: the difference of two runs, so that starting and opening drop out.
    private func count(_ operation: Operation, _ folder: URL, _ tool: Valgrind) throws -> Double {
        let (fewer, more) = operation.repetitions
        let counts = try [fewer, more].map { repetitions in
            let copy = workspace.folder.appending(path: "operation")
            try? FileManager.default.removeItem(at: copy)
            try FileManager.default.copyItem(at: folder, to: copy)
            return try tool.count(ChildWork.operation(operation.rawValue, repetitions: repetitions, folder: copy.path))
        }
        return Double(counts[1] - counts[0]) / Double((more - fewer) * operation.objects)
    }
}

/// What is kept in the repository.
struct RecordedCosts: Codable {
    /// For one object.
    struct Cost: Codable {
        let instructions: Double
        let allocations: Double
    }

    let compiler: String
    let sqlite: String
    let operations: [String: Cost]
}
