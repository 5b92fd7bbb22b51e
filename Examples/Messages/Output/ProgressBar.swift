import Foundation

/// Shows how far a long job is: as a bar that grows on a terminal, as a few plain lines in a file or a pipe.
struct ProgressBar {
    private static let width = 40
    /// How many plain lines are written, the last one included.
    private static let plainSteps = 4

    private let title: String
    private let total: Int
    private let isTerminal: Bool
    private var completed = 0

    init(title: String, total: Int, isTerminal: Bool = ProgressBar.isStandardOutputTerminal) {
        self.title = title
        self.total = total
        self.isTerminal = isTerminal
    }

    static var isStandardOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Adds to what is done, and shows it.
    mutating func advance(by count: Int) {
        let before = completed
        completed = min(completed + count, total)
        if isTerminal {
            drawBar()
        } else if completed * Self.plainSteps / max(total, 1) > before * Self.plainSteps / max(total, 1) {
            print("  \(title): \(completed) of \(total)")
        }
    }

    private func drawBar() {
        let filled = total == 0 ? Self.width : Self.width * completed / total
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
        // A carriage return without a line feed: the next bar is drawn over this one.
        print("\r  \(title): [\(bar)] \(completed) of \(total)", terminator: completed == total ? "\n" : "")
        fflush(nil)
    }
}
