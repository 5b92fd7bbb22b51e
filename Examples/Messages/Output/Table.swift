/// Rows of text in aligned columns.
///
/// ```
/// kind      messages
/// --------  --------
/// text          1403
/// ```
struct Table {
    struct Column {
        fileprivate enum Alignment {
            case left, right
        }

        fileprivate let title: String
        fileprivate let alignment: Alignment

        /// A column of text.
        static func left(_ title: String) -> Column {
            Column(title: title, alignment: .left)
        }

        /// A column of numbers.
        static func right(_ title: String) -> Column {
            Column(title: title, alignment: .right)
        }
    }

    /// Longer cells are cut, so that a row stays on one line.
    private static let maximumCellWidth = 60

    private let columns: [Column]
    private var rows: [[String]] = []

    init(_ columns: Column...) {
        self.columns = columns
    }

    /// Adds a row. Cells that are missing stay empty.
    mutating func addRow(_ cells: String...) {
        rows.append(
            columns.indices.map { $0 < cells.count ? Self.shortened(cells[$0]) : "" }
        )
    }

    /// The table's lines: titles, a rule, and the rows.
    var lines: [String] {
        let titles = columns.map(\.title)
        let widths = columns.indices.map { index in
            rows.reduce(titles[index].count) { max($0, $1[index].count) }
        }
        let rule = widths.map { String(repeating: "-", count: $0) }
        return ([titles, rule] + rows).map { line($0, widths: widths) }
    }

    private func line(_ cells: [String], widths: [Int]) -> String {
        var line = ""
        for (index, cell) in cells.enumerated() {
            let padding = String(repeating: " ", count: widths[index] - cell.count)
            line += index == 0 ? "" : "  "
            line += columns[index].alignment == .left ? cell + padding : padding + cell
        }
        while line.last == " " { line.removeLast() }
        return line
    }

    private static func shortened(_ cell: String) -> String {
        cell.count <= maximumCellWidth ? cell : cell.prefix(maximumCellWidth - 1) + "…"
    }
}
