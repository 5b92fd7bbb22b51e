import Foundation

/// The program: reads the command line, runs the command, and ends with an exit code that scripts can rely on.
@main
@MainActor
struct Messages {
    static func main() async {
        do {
            switch try Command(arguments: Array(CommandLine.arguments.dropFirst())) {
            case .help:
                print(Command.helpText)
            case .tour(let folder):
                let surprises = try await Tour(files: TourFiles(folder: folder)).play()
                exit(surprises == 0 ? ExitCode.success : ExitCode.surprise)
            }
        } catch let error as UsageError {
            complain("\(error.message)\nTry: messages --help")
            exit(ExitCode.usage)
        } catch {
            complain("\(error)")
            exit(ExitCode.failure)
        }
    }

    private static func complain(_ text: String) {
        FileHandle.standardError.write(Data("messages: \(text)\n".utf8))
    }
}

/// What the program tells the shell. The numbers above 1 are those of sysexits.h.
enum ExitCode {
    static let success: Int32 = 0
    /// A check of the tour failed.
    static let surprise: Int32 = 1
    /// The command line can't be understood.
    static let usage: Int32 = 64
    /// The command could not be run, for example because the data folder can't be written to.
    static let failure: Int32 = 74
}
