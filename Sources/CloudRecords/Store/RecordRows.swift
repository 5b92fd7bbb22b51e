import Foundation

/// The rows of a result as a store has read them, all of one layout: plain bytes in two blocks of memory.
///
/// A page of rows crosses from the store's thread to the caller as one reference. There objects are filled from it
/// with no record in between, and records are made of it where somebody wants records.
///
/// Unchecked because of the memory, which nobody writes to once ``RecordRowBuffer/finish(zone:)`` has made the rows,
/// which alone refer to it and free it at their end.
package final class RecordRows: @unchecked Sendable {
    /// One value of a row: a number, the place of a text or of another value, or null.
    package struct Cell: BitwiseCopyable {
        package enum Kind: UInt8, BitwiseCopyable {
            case null, int64, double, date, string
            /// Any other value; it stands in a list beside the cells.
            case value
        }

        package let kind: Kind
        /// The number's bits, or a position. The lower bits of a text's are its length.
        package let bits: UInt64

        package static var lengthBits: UInt64 { 30 }

        package init(_ kind: Kind, bits: UInt64 = 0) {
            self.kind = kind
            self.bits = bits
        }

        package init(_ number: Int64) { self.init(.int64, bits: UInt64(bitPattern: number)) }
        package init(_ number: Double) { self.init(.double, bits: number.bitPattern) }
        package init(dateOf seconds: Double) { self.init(.date, bits: seconds.bitPattern) }

        package var int64: Int64 { Int64(bitPattern: bits) }
        package var double: Double { Double(bitPattern: bits) }
        package var date: Date { Date(timeIntervalSinceReferenceDate: double) }
        package var position: Int { Int(truncatingIfNeeded: bits) }

        /// Where the text of a cell of that kind stands among all texts.
        package var textRange: Range<Int> { Self.textRange(bits) }

        /// The same by the cell's bits.
        package static func textRange(_ bits: UInt64) -> Range<Int> {
            let start = Int(truncatingIfNeeded: bits >> lengthBits)
            return start..<start &+ Int(truncatingIfNeeded: bits & (1 << lengthBits - 1))
        }

        /// The text of a cell of that kind.
        package func text(among texts: UnsafePointer<UInt8>) -> String {
            let range = textRange
            return String(
                decoding: UnsafeBufferPointer(start: texts + range.lowerBound, count: range.count),
                as: UTF8.self
            )
        }
    }

    /// The cells of a row: eight bytes for each, and after them a byte for the kind of each.
    package struct Row {
        package let bits: UnsafeMutablePointer<UInt64>
        package let kinds: UnsafeMutablePointer<Cell.Kind>

        init(_ memory: UnsafeMutablePointer<UInt64>, width: Int) {
            bits = memory
            // A cell of the memory is eight kinds, of which all are set before they are read.
            kinds = UnsafeMutableRawPointer(memory + width).assumingMemoryBound(to: Cell.Kind.self)
        }

        /// How many times eight bytes a row has.
        static func stride(width: Int) -> Int { width + (width + 7) / 8 }

        package subscript(cell: Int) -> Cell {
            get { Cell(kinds[cell], bits: bits[cell]) }
            nonmutating set {
                bits[cell] = newValue.bits
                kinds[cell] = newValue.kind
            }
        }
    }

    /// The cells that every row begins with. The cells of the fields follow, in the layout's order.
    package enum Head {
        package static let name = 0
        /// A position among the zones.
        package static let zone = 1
        package static let sequence = 2
        package static let created = 3
        package static let modified = 4
        /// Positions among the users.
        package static let creator = 5
        package static let modifier = 6
        package static let count = 7
    }

    package let layout: FieldLayout
    package let count: Int
    private let cells: UnsafeMutablePointer<UInt64>
    /// The memory in which the texts stand. It is of use as long as these rows live.
    package let texts: UnsafePointer<UInt8>
    private let width: Int
    private let values: ContiguousArray<CloudValue>
    private let users: [CloudRecordID]
    private let zones: [CloudZoneID]

    init(
        layout: FieldLayout,
        count: Int,
        cells: UnsafeMutablePointer<UInt64>,
        texts: UnsafeMutablePointer<UInt8>,
        values: ContiguousArray<CloudValue>,
        users: [CloudRecordID],
        zones: [CloudZoneID]
    ) {
        self.layout = layout
        self.count = count
        self.cells = cells
        self.texts = UnsafePointer(texts)
        self.values = values
        self.users = users
        self.zones = zones
        width = Head.count + layout.count
    }

    deinit {
        free(cells)
        free(UnsafeMutablePointer(mutating: texts))
    }

    // MARK: Cells

    /// A row, whose fields begin at ``Head/count``. It is of use as long as these rows live.
    package func row(_ index: Int) -> Row {
        precondition(index >= 0 && index < count, "the row is one of these")
        return Row(cells + index * Row.stride(width: width), width: width)
    }

    /// What a cell of a field holds.
    package func state(_ cell: Cell) -> FieldState {
        switch cell.kind {
        case .null: .null
        case .int64: .value(.int64(cell.int64))
        case .double: .value(.double(cell.double))
        case .date: .value(.date(cell.date))
        case .string: .value(.string(cell.text(among: texts)))
        case .value: .value(values[cell.position])
        }
    }

    private func text(_ cell: Cell) -> String {
        guard cell.kind == .string else { return state(cell).value?.stringValue ?? "" }
        return cell.text(among: texts)
    }

    // MARK: Records

    package func recordID(of row: Int) -> CloudRecordID {
        CloudRecordID(text(self.row(row)[Head.name]), zone: zones[self.row(row)[Head.zone].position])
    }

    package func creationDate(of row: Int) -> Date? { date(self.row(row)[Head.created]) }

    package func modificationDate(of row: Int) -> Date? { date(self.row(row)[Head.modified]) }

    package func creator(of row: Int) -> CloudRecordID { users[self.row(row)[Head.creator].position] }

    package func modifier(of row: Int) -> CloudRecordID { users[self.row(row)[Head.modifier].position] }

    package func changeTag(of row: Int) -> String { ChangeTag.text(self.row(row)[Head.sequence].int64) }

    private func date(_ cell: Cell) -> Date? { cell.kind == .date ? cell.date : state(cell).value?.dateValue }

    /// The fields of a row.
    package func fields(of row: Int) -> RecordFields {
        RecordFields(layout: layout, storage: states(row..<(row + 1)))
    }

    /// What the store had filled of a row's record.
    package func systemFields(of row: Int) -> SystemFields {
        systemFields(of: row, RecordUsers(creator: creator(of: row), lastModifier: modifier(of: row)))
    }

    private func systemFields(of row: Int, _ users: RecordUsers) -> SystemFields {
        SystemFields(
            creationDate: creationDate(of: row),
            modificationDate: modificationDate(of: row),
            users: users,
            recordChangeTag: changeTag(of: row)
        )
    }

    /// The record of a row.
    package func record(at row: Int) -> CloudRecord {
        CloudRecord(recordID: recordID(of: row), fields: fields(of: row), systemFields: systemFields(of: row))
    }

    /// The records of all rows, which share one array of values.
    package func records() -> [CloudRecord] {
        let storage = states(0..<count)
        var records: [CloudRecord] = []
        records.reserveCapacity(count)
        // Nearly all rows have the same users: their records share them.
        var last: (creator: UInt64, modifier: UInt64, users: RecordUsers)?
        for row in 0..<count {
            let cells = self.row(row)
            let (creator, modifier) = (cells.bits[Head.creator], cells.bits[Head.modifier])
            let users: RecordUsers
            if let last, last.creator == creator, last.modifier == modifier {
                users = last.users
            } else {
                users = RecordUsers(creator: self.creator(of: row), lastModifier: self.modifier(of: row))
                last = (creator, modifier, users)
            }
            records.append(
                CloudRecord(
                    recordID: recordID(of: row),
                    fields: RecordFields(layout: layout, storage: storage, start: row * layout.count),
                    systemFields: systemFields(of: row, users)
                )
            )
        }
        return records
    }

    private func states(_ rows: Range<Int>) -> ContiguousArray<FieldState> {
        let fieldCount = layout.count
        // The standard library writes the count even of an empty array, all of which share one place in memory.
        guard !rows.isEmpty, fieldCount > 0 else { return [] }
        return ContiguousArray(unsafeUninitializedCapacity: rows.count * fieldCount) { buffer, initialized in
            for row in rows {
                let row = self.row(row)
                for index in 0..<fieldCount {
                    buffer.initializeElement(at: initialized, to: state(row[Head.count + index]))
                    initialized += 1
                }
            }
        }
    }
}
