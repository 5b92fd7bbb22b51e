import Foundation

/// What the command line asks for.
enum Command: Equatable {
    case help
    case tour(folder: URL)

    static let helpText = """
        Messages: an example program of CloudKitDao.

        usage: messages tour --data DIR
               messages --help

        commands:
          tour         play the scripted tour: two users, 2000 messages, every feature with real output.
                       Each step checks what it prints.

        options:
          --data DIR   keep the data in this folder, which is made if it is missing.
                       The tour first removes what an earlier tour left there.
          -h, --help   show this text

        exit codes: 0 all is well, 1 the tour met a surprise, 64 wrong usage, 74 the command could not be run.
        """

    /// Reads the arguments, without the program's own name.
    init(arguments: [String]) throws(UsageError) {
        guard let name = arguments.first else { throw UsageError("a command is missing") }
        let rest = arguments.dropFirst()
        switch name {
        case "-h", "--help", "help":
            self = .help
        case "tour":
            let options = try TourOptions(arguments: rest)
            self = try options.wantsHelp ? .help : .tour(folder: options.requiredFolder())
        case let option where option.hasPrefix("-"):
            throw UsageError("unknown option \(option)")
        default:
            throw UsageError("unknown command \(name)")
        }
    }
}

/// A command line that can't be understood.
struct UsageError: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}

/// The options of `messages tour`.
private struct TourOptions {
    private(set) var wantsHelp = false
    private var folder: String?

    init(arguments: ArraySlice<String>) throws(UsageError) {
        var remaining = arguments
        while let argument = remaining.popFirst() {
            if argument == "-h" || argument == "--help" {
                wantsHelp = true
            } else if argument == "--data" {
                guard let value = remaining.popFirst() else { throw UsageError("--data needs a folder") }
                folder = value
            } else if argument.hasPrefix("--data=") {
                folder = String(argument.dropFirst("--data=".count))
            } else if argument.hasPrefix("-") {
                throw UsageError("unknown option \(argument) of tour")
            } else {
                throw UsageError("unexpected argument \(argument) of tour")
            }
        }
    }

    func requiredFolder() throws(UsageError) -> URL {
        guard let folder else { throw UsageError("tour needs --data DIR") }
        guard !folder.isEmpty else { throw UsageError("--data needs a folder") }
        return URL(filePath: folder, directoryHint: .isDirectory)
    }
}
