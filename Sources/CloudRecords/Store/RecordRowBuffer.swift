import Foundation

/// The memory in which a store puts rows while it reads them, see ``RecordRows``.
///
/// Grown by doubling, and cut to size at the end.
package struct RecordRowBuffer: ~Copyable {
    package typealias Cell = RecordRows.Cell

    package let layout: FieldLayout
    package private(set) var count = 0
    private let width: Int
    private let stride: Int
    private var cells: RowMemory<UInt64>
    private(set) var texts: RowMemory<UInt8>
    private var textCount = 0
    private var values: ContiguousArray<CloudValue> = []
    // Nearly all rows have the same users and zone: their IDs are made once.
    private var users: [CloudRecordID] = []
    private var userTexts: [ContiguousArray<UInt8>] = []
    private var zones: ContiguousArray<Int64> = []

    /// Makes a buffer for rows of a layout, with room for so many.
    package init(layout: FieldLayout, rows: Int) {
        self.layout = layout
        width = RecordRows.Head.count + layout.count
        stride = RecordRows.Row.stride(width: width)
        cells = RowMemory(capacity: max(rows, 1) * stride)
        texts = RowMemory(capacity: max(rows, 1) * 128)
    }

    /// Adds a row, all cells of which have to be set before the next one is added.
    package mutating func appendRow() -> RecordRows.Row {
        let start = count * stride
        cells.reserve(start + stride)
        count += 1
        return RecordRows.Row(cells.start + start, width: width)
    }

    /// A row that was read.
    package func row(_ index: Int) -> RecordRows.Row {
        precondition(index >= 0 && index < count, "the row is one of these")
        return RecordRows.Row(cells.start + index * stride, width: width)
    }

    /// Forgets the rows from a position on.
    package mutating func removeRows(from index: Int) {
        precondition(index >= 0 && index <= count, "the row is one of these, or after the last")
        count = index
    }

    /// Puts the rows into another order, given by their positions.
    mutating func arrange(_ positions: some Sequence<Int>) {
        var arranged = RowMemory<UInt64>(capacity: count * stride)
        var place = arranged.start
        for position in positions {
            place.update(from: cells.start + position * stride, count: stride)
            place += stride
        }
        swap(&cells, &arranged)
    }

    /// Copies a text and returns its cell.
    package mutating func text(_ bytes: UnsafePointer<UInt8>?, count: Int) -> Cell {
        guard count > 0, let bytes else { return Cell(.string) }
        let start = textCount
        guard count >> Cell.lengthBits == 0, start >> (64 - Cell.lengthBits) == 0 else {
            return largeText(bytes, count)
        }
        texts.reserve(start + count)
        (texts.start + start).update(from: bytes, count: count)
        textCount = start + count
        return Cell(.string, bits: UInt64(start) << Cell.lengthBits | UInt64(count))
    }

    /// Keeps a text whose place has no room in a cell.
    private mutating func largeText(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Cell {
        value(.string(String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)))
    }

    /// Keeps a value that is no plain number or text, and returns its cell.
    package mutating func value(_ value: CloudValue) -> Cell {
        values.append(value)
        return Cell(.value, bits: UInt64(values.count - 1))
    }

    /// The cell of a zone, by its number.
    package mutating func zone(_ number: Int64) -> Cell {
        for index in zones.indices where zones[index] == number { return Cell(Int64(index)) }
        zones.append(number)
        return Cell(Int64(zones.count - 1))
    }

    /// The cell of the user whose ID has this text.
    package mutating func user(_ bytes: UnsafePointer<UInt8>?, count: Int) -> Cell {
        let text = UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : count)
        for index in userTexts.indices.reversed() where isUser(index, text) {
            return Cell(Int64(index))
        }
        users.append(ReferenceText.decode(String(decoding: text, as: UTF8.self)))
        userTexts.append(ContiguousArray(text))
        return Cell(Int64(users.count - 1))
    }

    private func isUser(_ index: Int, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        userTexts[index].withUnsafeBytes { known in
            guard known.count == text.count else { return false }
            guard let left = known.baseAddress, let right = text.baseAddress else { return true }
            return memcmp(left, right, known.count) == 0
        }
    }

    /// The rows, when all have been read.
    ///
    /// - Parameter zone: Gives the zone of a number.
    package consuming func finish(zone: (Int64) -> CloudZoneID) -> RecordRows {
        RecordRows(
            layout: layout,
            count: count,
            cells: cells.take(cutTo: count * stride),
            texts: texts.take(cutTo: textCount),
            values: values,
            users: users,
            zones: zones.map(zone)
        )
    }
}

/// Memory for plain bytes that grows.
struct RowMemory<Element: BitwiseCopyable>: ~Copyable {
    private(set) var start: UnsafeMutablePointer<Element>
    private(set) var capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
        start = Self.resized(nil, to: capacity)
    }

    deinit {
        free(start)
    }

    /// Makes room for so many elements; those that are there may move.
    mutating func reserve(_ count: Int) {
        if count > capacity { grow(to: count) }
    }

    private mutating func grow(to count: Int) {
        capacity = max(count, capacity * 2)
        start = Self.resized(start, to: capacity)
    }

    /// Gives the memory away, to be freed by `free`.
    consuming func take(cutTo count: Int) -> UnsafeMutablePointer<Element> {
        let memory = Self.resized(start, to: count)
        discard self
        return memory
    }

    private static func resized(_ memory: UnsafeMutablePointer<Element>?, to count: Int) -> UnsafeMutablePointer<
        Element
    > {
        // What is out of memory ends here as everywhere in Swift.
        guard let resized = realloc(memory, max(count, 1) * MemoryLayout<Element>.stride) else {
            preconditionFailure("There is no memory for \(count) values.")
        }
        return resized.bindMemory(to: Element.self, capacity: count)
    }
}
