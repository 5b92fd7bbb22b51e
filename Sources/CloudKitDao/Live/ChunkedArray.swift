/// An array in chunks: an insertion or removal anywhere moves the rest of one chunk, not of all.
///
/// A copy shares the chunks; a change to it copies only the chunk that it is in.
///
/// - Complexity: To find an element by position or order is O(log *n*). A change costs at most half a chunk of moves,
///   and one addition for each chunk behind it.
package struct ChunkedArray<Element> {
    private static var capacity: Int { 512 }

    private var chunks: [ContiguousArray<Element>] = []
    /// The position of each chunk's first element.
    private var starts: [Int] = []
    package private(set) var count = 0

    package init() {}

    /// Makes an array of elements, with room for more in each chunk.
    package init(_ elements: some Sequence<Element>) {
        let filling = Self.capacity * 3 / 4
        var chunk = ContiguousArray<Element>()
        for element in elements {
            if chunk.isEmpty { chunk.reserveCapacity(filling) }
            chunk.append(element)
            if chunk.count == filling {
                appendChunk(chunk)
                chunk = []
            }
        }
        if !chunk.isEmpty { appendChunk(chunk) }
    }

    private mutating func appendChunk(_ chunk: ContiguousArray<Element>) {
        starts.append(count)
        chunks.append(chunk)
        count += chunk.count
    }

    /// The chunk that a position is in; the last one for the position behind all.
    private func chunkIndex(of position: Int) -> Int {
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= position { low = middle } else { high = middle }
        }
        return low
    }

    package mutating func insert(_ element: Element, at position: Int) {
        precondition((0...count).contains(position), "the position lies within the array")
        if chunks.isEmpty { appendChunk([]) }
        var index = chunkIndex(of: position)
        if chunks[index].count == Self.capacity {
            split(index, at: position)
            index = chunkIndex(of: position)
        }
        chunks[index].insert(element, at: position - starts[index])
        shift(after: index, by: 1)
    }

    @discardableResult
    package mutating func remove(at position: Int) -> Element {
        precondition((0..<count).contains(position), "the position is one of an element")
        let index = chunkIndex(of: position)
        let element = chunks[index].remove(at: position - starts[index])
        shift(after: index, by: -1)
        if chunks[index].isEmpty {
            chunks.remove(at: index)
            starts.remove(at: index)
        } else if chunks[index].count < Self.capacity / 4 {
            merge(index)
        }
        return element
    }

    package mutating func append(_ element: Element) {
        insert(element, at: count)
    }

    private mutating func shift(after index: Int, by offset: Int) {
        count += offset
        for later in starts.indices.dropFirst(index + 1) { starts[later] += offset }
    }

    /// Makes room: by a new chunk for what is appended, else by two halves.
    private mutating func split(_ index: Int, at position: Int) {
        let middle = position == count ? chunks[index].count : chunks[index].count / 2
        let tail = ContiguousArray(chunks[index][middle...])
        chunks[index].removeSubrange(middle...)
        chunks.insert(tail, at: index + 1)
        starts.insert(starts[index] + middle, at: index + 1)
    }

    /// Joins a small chunk to the next one, if that leaves room in it.
    private mutating func merge(_ index: Int) {
        guard index + 1 < chunks.count, chunks[index].count + chunks[index + 1].count <= Self.capacity / 2 else {
            return
        }
        chunks[index] += chunks[index + 1]
        chunks.remove(at: index + 1)
        starts.remove(at: index + 1)
    }

    /// The first position whose element is in the second part, given that those in the first part come first.
    package func partitioningIndex(where isInSecondPart: (Element) -> Bool) -> Int {
        var (low, high) = (0, chunks.count)
        while low < high {
            let middle = (low + high) / 2
            if let first = chunks[middle].first, isInSecondPart(first) { high = middle } else { low = middle + 1 }
        }
        // The border is behind the first element of the chunk before.
        guard low > 0 else { return 0 }
        let chunk = chunks[low - 1]
        var (begin, end) = (1, chunk.count)
        while begin < end {
            let middle = (begin + end) / 2
            if isInSecondPart(chunk[middle]) { end = middle } else { begin = middle + 1 }
        }
        return starts[low - 1] + begin
    }
}

extension ChunkedArray: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { count }

    package subscript(position: Int) -> Element {
        get {
            precondition((0..<count).contains(position), "the position is one of an element")
            let index = chunkIndex(of: position)
            return chunks[index][position - starts[index]]
        }
        set {
            precondition((0..<count).contains(position), "the position is one of an element")
            let index = chunkIndex(of: position)
            chunks[index][position - starts[index]] = newValue
        }
    }

    package func makeIterator() -> Iterator { Iterator(chunks: chunks) }

    package struct Iterator: IteratorProtocol {
        fileprivate let chunks: [ContiguousArray<Element>]
        private var chunk = 0
        private var offset = 0

        fileprivate init(chunks: [ContiguousArray<Element>]) { self.chunks = chunks }

        package mutating func next() -> Element? {
            while chunk < chunks.count {
                if offset < chunks[chunk].count {
                    defer { offset += 1 }
                    return chunks[chunk][offset]
                }
                chunk += 1
                offset = 0
            }
            return nil
        }
    }
}

extension ChunkedArray: Sendable where Element: Sendable {}
