import Foundation

/// Programs that are run from here, with the least that it takes to start one.
enum ChildProcess {
    /// The path of this program.
    static func ownPath() throws -> String {
        guard let path = Bundle.main.executablePath else { throw UsageError("the program does not know its own path") }
        return path
    }

    /// Runs a program, found on PATH, and waits for its end.
    ///
    /// - Parameter environment: Variables besides those of this process.
    /// - Throws: If it can't be started or doesn't end with success.
    static func run(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        var argumentPointers: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        var variablePointers: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer {
            for pointer in argumentPointers + variablePointers { free(pointer) }
        }
        var process: pid_t = 0
        let code = posix_spawnp(&process, program, nil, nil, &argumentPointers, &variablePointers)
        guard code == 0 else { throw UsageError("\(program) can't be run: \(String(cString: strerror(code)))") }
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1, errno == EINTR {}
        guard status == 0 else { throw UsageError("\(program) \(arguments.joined(separator: " ")) failed (\(status))") }
    }
}
