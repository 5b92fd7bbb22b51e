import CloudKitDao
import Foundation

/// How the tour prints.
extension Tour {
    func showHeading(_ title: String) {
        print("\n\(title)\n\(String(repeating: "-", count: title.count))")
    }

    /// Prints a line, or several, of the tour's text.
    func say(_ text: String) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            print(line.isEmpty ? "" : "  \(line)")
        }
    }

    func show(_ table: Table) {
        print("")
        for line in table.lines { print("    \(line)") }
        print("")
    }

    /// Prints messages as a table, the first few of them.
    func show(_ messages: some Collection<Message>, first count: Int = 3) {
        var table = Table(.left("name"), .left("sent"), .left("from"), .left("kind"), .right("likes"), .left("text"))
        for message in messages.prefix(count) {
            table.addRow(
                message.recordID.recordName,
                message.sentAt.formatted(Self.minutes),
                message.from?.recordID.recordName ?? "",
                message.kind.rawValue,
                message.likes.map(String.init) ?? "-",
                message.text
            )
        }
        if messages.count > count { table.addRow("…") }
        show(table)
    }

    /// Prints the fields of a record as a table.
    func show(_ record: CloudRecord) {
        var table = Table(.left("field"), .left("value"))
        for name in record.knownFieldNames.sorted() {
            table.addRow(name, record[name].map { "\($0)" } ?? "nil")
        }
        show(table)
    }

    /// Remembers that messages are in the store, as they are now.
    func remember(_ messages: [Message]) {
        for message in messages { ledger[message.recordID.recordName] = message }
    }

    /// The messages that should be in the store and are so and so.
    func expectedCount(where condition: (Message) -> Bool = { _ in true }) -> Int {
        ledger.values.count(where: condition)
    }

    /// A duration in seconds.
    func seconds(_ duration: Duration) -> String {
        String(format: "%.2f seconds", duration / .seconds(1))
    }

    /// A distance in whole kilometres.
    func kilometres(_ metres: Double) -> String {
        String(Int((metres / 1_000).rounded()))
    }

    private static let minutes = Date.VerbatimFormatStyle(
        format: """
            \(year: .defaultDigits)-\(month: .twoDigits)-\(day: .twoDigits) \
            \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)
            """,
        timeZone: .gmt,
        calendar: Calendar(identifier: .gregorian)
    )
}
