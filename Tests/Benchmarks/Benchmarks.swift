import CloudKitDao
import Dispatch
import Foundation

/// Measures the framework against hand-written code, in the same process and by turns.
///
/// `--quick`: a tenth of the objects. `--only NAME` (repeatable): the rows whose name begins so. `--json FILE`: what
/// was measured, for other programs. `--check FILE`: counts instructions and allocations instead and compares them
/// with those in the file. `--record FILE`: the same, but writes them down. `--compiler TEXT`: the compiler's version,
/// for the notes.
@main
enum Benchmarks {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        // Not on the main actor: there each `await` would measure how fast the main thread wakes up.
        Task.detached {
            do {
                try await run(arguments)
                exit(0)
            } catch {
                FileHandle.standardError.write(Data("Benchmarks: \(error)\n".utf8))
                exit(1)
            }
        }
        // A child is not asked for the main actor, and valgrind can't run the loop that serves it.
        if ChildWork.isWanted(by: arguments) { DispatchSemaphore(value: 0).wait() }
        dispatchMain()
    }

    private static func run(_ arguments: [String]) async throws {
        if let child = try ChildWork(arguments) { return try await child.run() }
        let options = try BenchmarkOptions(arguments)
        let workspace = try Workspace(isQuick: options.isQuick)
        defer { workspace.remove() }
        switch options.task {
        case .measure: try await measure(options, workspace)
        case .check(let file): try await CostCheck(workspace, options.environment).compare(with: file)
        case .record(let file): try await CostCheck(workspace, options.environment).record(to: file)
        }
    }

    private static func measure(_ options: BenchmarkOptions, _ workspace: Workspace) async throws {
        var report = Report(environment: options.environment, isQuick: options.isQuick, objects: workspace.objectCount)
        report.printHead()
        var rows = 0
        for row in BenchmarkRow.all where options.selects(row.name) {
            rows += 1
            for outcome in try await row.measure(workspace) {
                report.add(outcome)
            }
        }
        guard rows > 0 else { throw UsageError("no row has a name that begins with \(options.only)") }
        if let file = options.jsonFile { try report.writeJSON(to: file) }
    }
}
