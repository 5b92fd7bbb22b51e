import Foundation

/// What the program was asked for.
struct BenchmarkOptions {
    enum Task {
        case measure
        case check(URL)
        case record(URL)
    }

    private(set) var task = Task.measure
    private(set) var isQuick = false
    private(set) var only: [String] = []
    private(set) var jsonFile: URL?
    private var compiler: String?

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        func value(of option: String) throws -> String {
            guard let value = rest.popFirst() else { throw UsageError("\(option) needs a value") }
            return value
        }
        while let option = rest.popFirst() {
            switch option {
            case "--quick": isQuick = true
            case "--only": only.append(try value(of: option))
            case "--json": jsonFile = URL(filePath: try value(of: option))
            case "--check": task = .check(URL(filePath: try value(of: option)))
            case "--record": task = .record(URL(filePath: try value(of: option)))
            case "--compiler": compiler = try value(of: option)
            default:
                throw UsageError(
                    "unknown option '\(option)'; there are --quick, --only NAME, --json FILE, --check, --record"
                )
            }
        }
    }

    var environment: MachineEnvironment { MachineEnvironment(compiler: compiler) }

    func selects(_ name: String) -> Bool {
        only.isEmpty || only.contains { name.hasPrefix($0) }
    }
}

/// Wrong arguments.
struct UsageError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
