import CSQLite
import Foundation

/// A prepared statement and the memory for the texts that are bound to it.
///
/// The fastest hand-written forms that were found: texts are copied once into a buffer and bound as they lie there, and
/// columns are read through their values, which takes no lock.
final class FloorStatement {
    let pointer: OpaquePointer
    private let buffer = UnsafeMutableRawPointer.allocate(byteCount: 16_384, alignment: 1)
    private var used = 0

    init(_ sql: String, handle: OpaquePointer) throws {
        var pointer: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &pointer, nil)
        guard code == SQLITE_OK, let pointer else { throw UsageError("\(String(cString: sqlite3_errmsg(handle)))") }
        self.pointer = pointer
    }

    deinit {
        sqlite3_finalize(pointer)
        buffer.deallocate()
    }

    func reset() {
        sqlite3_reset(pointer)
        used = 0
    }

    func step() throws -> Bool {
        switch sqlite3_step(pointer) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw UsageError("a step failed: \(code)")
        }
    }

    // MARK: Binding

    func bind(_ text: String, at parameter: Int32) {
        var text = text
        text.withUTF8 { bytes in
            // The texts of the workload are short: a row's fit into the buffer.
            precondition(used + bytes.count <= 16_384)
            let place = buffer + used
            if let source = bytes.baseAddress { place.copyMemory(from: source, byteCount: bytes.count) }
            used += bytes.count
            let characters = place.assumingMemoryBound(to: CChar.self)
            sqlite3_bind_text(pointer, parameter, characters, Int32(bytes.count), nil)
        }
    }

    func bind(_ reading: FloorReading) {
        bind(reading.recordName, at: 1)
        sqlite3_bind_double(pointer, 2, reading.createdAt.timeIntervalSinceReferenceDate)
        sqlite3_bind_double(pointer, 3, reading.modifiedAt.timeIntervalSinceReferenceDate)
        bind(reading.title, at: 4)
        bind(reading.category, at: 5)
        bind(reading.body, at: 6)
        sqlite3_bind_int64(pointer, 7, Int64(reading.count))
        sqlite3_bind_int64(pointer, 8, Int64(reading.rank))
        sqlite3_bind_double(pointer, 9, reading.score)
        sqlite3_bind_double(pointer, 10, reading.takenAt.timeIntervalSinceReferenceDate)
        sqlite3_bind_int(pointer, 11, reading.isChecked ? 1 : 0)
        if let remark = reading.remark { bind(remark, at: 12) } else { sqlite3_bind_null(pointer, 12) }
    }

    // MARK: Reading

    /// The object of the current row.
    func reading() -> FloorReading {
        let reading = FloorReading()
        reading.recordName = text(0) ?? ""
        reading.createdAt = date(1)
        reading.modifiedAt = date(2)
        reading.title = text(3) ?? ""
        reading.category = text(4) ?? ""
        reading.body = text(5) ?? ""
        reading.count = Int(sqlite3_column_int64(pointer, 6))
        reading.rank = Int(sqlite3_column_int64(pointer, 7))
        reading.score = sqlite3_column_double(pointer, 8)
        reading.takenAt = date(9)
        reading.isChecked = sqlite3_column_int(pointer, 10) != 0
        reading.remark = text(11)
        return reading
    }

    /// The objects of all rows.
    func readings() throws -> [FloorReading] {
        var readings: [FloorReading] = []
        while try step() { readings.append(reading()) }
        return readings
    }

    private func text(_ column: Int32) -> String? {
        let value = sqlite3_column_value(pointer, column)
        guard let bytes = sqlite3_value_text(value) else { return nil }
        return String(
            decoding: UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value))),
            as: UTF8.self
        )
    }

    private func date(_ column: Int32) -> Date {
        Date(timeIntervalSinceReferenceDate: sqlite3_column_double(pointer, column))
    }
}
