import Foundation

extension RecordRowBuffer {
    /// What rows are sorted by: a cell of theirs.
    package struct SortKey: Sendable {
        package let cell: Int
        package let isAscending: Bool

        package init(cell: Int, isAscending: Bool) {
            self.cell = cell
            self.isAscending = isAscending
        }
    }

    /// Sorts the rows as a store does: nulls first, numbers by value and texts by their bytes, or all the other way
    /// round.
    ///
    /// - Returns: False if the cells don't tell the order: values of several types in one column, which another tool
    ///   wrote, or several zones. Nothing is sorted then.
    package mutating func sort(by keys: [SortKey]) -> Bool {
        guard count > 1 else { return true }
        var comparisons: [Comparison] = []
        for key in keys {
            if key.cell == RecordRows.Head.zone {
                guard hasOneZone else { return false }
                continue
            }
            guard let kind = kind(ofColumn: key.cell) else { return false }
            if kind != .null { comparisons.append(Comparison(key: key, kind: kind)) }
        }
        // Records that were found in the order in which they were made are mostly wanted in this order or its reverse.
        let (first, last) = (0, count - 1)
        if (first..<last).allSatisfy({ !isOrdered($0 + 1, $0, comparisons) }) { return true }
        if (first..<last).allSatisfy({ isOrdered($0 + 1, $0, comparisons) }) {
            arrange((0..<count).reversed())
        } else {
            arrange((0..<count).sorted { isOrdered($0, $1, comparisons) })
        }
        return true
    }

    private struct Comparison {
        let key: SortKey
        let kind: Cell.Kind
    }

    private var hasOneZone: Bool {
        let zone = row(0)[RecordRows.Head.zone].bits
        return (1..<count).allSatisfy { row($0)[RecordRows.Head.zone].bits == zone }
    }

    /// The one kind of the values in a column; null if there are none, and nil if they can't be compared.
    private func kind(ofColumn cell: Int) -> Cell.Kind? {
        var known = Cell.Kind.null
        for index in 0..<count {
            switch (row(index)[cell].kind, known) {
            case (.null, _): continue
            case (.value, _): return nil
            case (let kind, .null): known = kind
            case (let kind, _): guard kind == known else { return nil }
            }
        }
        return known
    }

    /// Whether a row comes before another one.
    private func isOrdered(_ left: Int, _ right: Int, _ comparisons: [Comparison]) -> Bool {
        let (leftRow, rightRow) = (row(left), row(right))
        for comparison in comparisons {
            let (left, right) = (leftRow[comparison.key.cell], rightRow[comparison.key.cell])
            let isLess: Bool
            switch (left.kind == .null, right.kind == .null) {
            case (true, true): continue
            case (true, false): isLess = true
            case (false, true): isLess = false
            case (false, false):
                switch comparison.kind {
                case .int64:
                    guard left.int64 != right.int64 else { continue }
                    isLess = left.int64 < right.int64
                case .string:
                    let order = order(left, right)
                    guard order != 0 else { continue }
                    isLess = order < 0
                case .double, .date, .null, .value:
                    guard left.double != right.double else { continue }
                    isLess = left.double < right.double
                }
            }
            return isLess == comparison.key.isAscending
        }
        return false
    }

    /// Negative if the bytes of the left text come before those of the right one, 0 if they are the same.
    private func order(_ left: Cell, _ right: Cell) -> Int {
        let (left, right) = (left.textRange, right.textRange)
        let order = memcmp(texts.start + left.lowerBound, texts.start + right.lowerBound, min(left.count, right.count))
        return order == 0 ? left.count - right.count : Int(order)
    }
}
