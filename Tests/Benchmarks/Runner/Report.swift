import Foundation

/// Prints what was measured and writes it down.
struct Report {
    private struct Entry: Encodable {
        let name: String
        let ratio: Double
        let nanoseconds: Double
        let floorNanoseconds: Double?
        let rounds: Int
        /// The ratio of each round, and what they are in where they are no ratios.
        let ratios: [Double]
        let unit: String?
        let target: Double?

        private enum CodingKeys: String, CodingKey {
            case name, ratio, rounds, ratios, unit, target
            case nanoseconds = "median_ns"
            case floorNanoseconds = "floor_ns"
        }
    }

    private struct Document: Encodable {
        let results: [Entry]
        let environment: Surroundings
    }

    private struct Surroundings: Encodable {
        let compiler, sqlite, system, processor: String
        let cores, objects: Int
        let quick: Bool
    }

    private let surroundings: Surroundings
    private var entries: [Entry] = []

    init(environment: MachineEnvironment, isQuick: Bool, objects: Int) {
        surroundings = Surroundings(
            compiler: environment.compiler,
            sqlite: environment.sqlite,
            system: environment.system,
            processor: environment.processor,
            cores: environment.cores,
            objects: objects,
            quick: isQuick
        )
    }

    func printHead() {
        print(
            """
            \(surroundings.objects) objects of 9 fields; SQLite \(surroundings.sqlite), \(surroundings.compiler), \
            \(surroundings.processor)
            """
        )
        print(line("", ["ratio", "target", "", "lowest", "highest", "ns", "floor ns"]))
    }

    mutating func add(_ outcome: Outcome) {
        let target = BenchmarkRow.targets[outcome.name]
        entries.append(
            Entry(
                name: outcome.name,
                ratio: outcome.ratio,
                nanoseconds: outcome.nanoseconds,
                floorNanoseconds: outcome.floorNanoseconds,
                rounds: outcome.rounds,
                ratios: outcome.ratios,
                unit: outcome.unit,
                target: target
            )
        )
        print(
            line(
                outcome.name,
                [
                    decimal(outcome.ratio), target.map(decimal) ?? "",
                    mark(outcome.ratio, target) + (outcome.unit ?? ""),
                    decimal(outcome.ratios.min() ?? .nan), decimal(outcome.ratios.max() ?? .nan),
                    whole(outcome.nanoseconds), outcome.floorNanoseconds.map(whole) ?? "",
                ]
            )
        )
    }

    func writeJSON(to file: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(Document(results: entries, environment: surroundings)).write(to: file)
    }

    private func mark(_ ratio: Double, _ target: Double?) -> String {
        guard let target else { return "" }
        return ratio <= target ? "ok " : "over "
    }

    private func line(_ name: String, _ figures: [String]) -> String {
        name.padding(toLength: max(name.count, 44), withPad: " ", startingAt: 0)
            + figures.map { String(repeating: " ", count: max(0, 10 - $0.count)) + $0 }.joined()
    }

    private func whole(_ figure: Double) -> String { String(format: "%.0f", figure) }
}

/// A figure with two decimals.
func decimal(_ figure: Double) -> String {
    String(format: "%.2f", figure)
}
