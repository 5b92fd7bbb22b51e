/// Which items of a list go into the next request: no more than a limit, and those of a request that was too large
/// again in halves.
struct PieceQueue {
    /// The positions of items in the list, ascending.
    typealias Piece = ArraySlice<Int>

    /// What is still to be sent, the next piece last.
    private var pieces: [Piece] = []

    /// Cuts a list into pieces; without a limit it is one.
    init(count: Int, limit: Int?) {
        add(Array(0..<count)[...], limit: limit ?? count)
    }

    /// The items of the next request; nil when there are no more.
    mutating func next() -> Piece? {
        pieces.popLast()
    }

    /// Gives up what was not sent yet, and says what it was.
    mutating func removeAll() -> [Int] {
        defer { pieces = [] }
        return pieces.reversed().flatMap { $0 }
    }

    /// Lets items that were too many be sent again, half as many at a time, before everything else.
    ///
    /// - Returns: False if the request had one item, which can't be halved.
    mutating func halve(_ items: Piece, ofRequestWith size: Int) -> Bool {
        guard size > 1 else { return false }
        add(items, limit: (size + 1) / 2)
        return true
    }

    private mutating func add(_ items: Piece, limit: Int) {
        let limit = max(limit, 1)
        for start in stride(from: items.startIndex, to: items.endIndex, by: limit).reversed() {
            pieces.append(items[start..<min(start + limit, items.endIndex)])
        }
    }
}
