import CSQLite
import CloudRecords
import Foundation
import SQLStore

extension SQLiteStatement {
    func value(at column: Int) -> SQLValue {
        guard let value = sqlite3_column_value(pointer, Int32(column)) else { return .null }
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: return .real(sqlite3_value_double(value))
        case SQLITE_TEXT: return .text(text(value))
        case SQLITE_BLOB: return .blob(blob(value))
        default: return .null
        }
    }

    func integer(at column: Int) -> Int64 {
        sqlite3_column_int64(pointer, Int32(column))
    }

    func readRows(
        _ plan: ReadPlan,
        upTo count: Int,
        into rows: inout RecordRowBuffer,
        assets: any AssetKeeping
    ) throws -> Int {
        let firstField = RecordRows.Head.count
        var read = 0
        while read < count, try step() {
            let row = rows.appendRow()
            readHead(row, &rows)
            plan.columns.withUnsafeBufferPointer { columns in
                for index in columns.indices {
                    readField(columns[index], index, row, firstField + index, &rows, plan, assets)
                }
            }
            read += 1
        }
        return read
    }

    /// The numbers of the columns are those of the cells, see ``RecordRows/Head``.
    @inline(__always)
    private func readHead(_ row: RecordRows.Row, _ rows: inout RecordRowBuffer) {
        row.set(0, text(sqlite3_column_value(pointer, 0), &rows))
        row.set(1, rows.zone(sqlite3_column_int64(pointer, 1)))
        row.set(2, .int64, UInt64(bitPattern: sqlite3_column_int64(pointer, 2)))
        readDate(3, row, &rows)
        readDate(4, row, &rows)
        row.set(5, user(5, &rows))
        row.set(6, user(6, &rows))
    }

    private func user(_ column: Int32, _ rows: inout RecordRowBuffer) -> RecordRows.Cell {
        let value = sqlite3_column_value(pointer, column)
        let bytes = sqlite3_value_text(value)
        return rows.user(bytes, count: Int(sqlite3_value_bytes(value)))
    }

    @inline(__always)
    private func readField(
        _ column: ReadPlan.Column,
        _ index: Int,
        _ row: RecordRows.Row,
        _ cell: Int,
        _ rows: inout RecordRowBuffer,
        _ plan: ReadPlan,
        _ assets: any AssetKeeping
    ) {
        let value = sqlite3_column_value(pointer, column.index)
        let type = sqlite3_value_type(value)
        switch (column.kind, type) {
        case (_, SQLITE_NULL): row.set(cell, .null, 0)
        case (.string, SQLITE_TEXT): row.set(cell, text(value, &rows))
        case (.int64, SQLITE_INTEGER): row.set(cell, .int64, UInt64(bitPattern: sqlite3_value_int64(value)))
        case (.double, SQLITE_FLOAT): row.set(cell, .double, sqlite3_value_double(value).bitPattern)
        case (.date, SQLITE_FLOAT): row.set(cell, .date, sqlite3_value_double(value).bitPattern)
        default: row.set(cell, rows.value(complexField(column, value, type, plan.layout.types[index], assets)))
        }
    }

    @inline(__always)
    private func readDate(_ column: Int, _ row: RecordRows.Row, _ rows: inout RecordRowBuffer) {
        let value = sqlite3_column_value(pointer, Int32(column))
        switch sqlite3_value_type(value) {
        case SQLITE_FLOAT, SQLITE_INTEGER: row.set(column, .date, sqlite3_value_double(value).bitPattern)
        case SQLITE_NULL: row.set(column, .null, 0)
        // Not a plain date, for the engine does not sort it as one.
        case SQLITE_TEXT:
            row.set(column, rows.value(ISO8601Text.date(of: text(value)).map { .date($0) } ?? .string("")))
        default: row.set(column, rows.value(.bytes(Data())))
        }
    }

    /// A value that is no plain number or text, or one that another tool wrote into the column.
    private func complexField(
        _ column: ReadPlan.Column,
        _ value: OpaquePointer?,
        _ type: Int32,
        _ fieldType: CloudFieldType?,
        _ assets: any AssetKeeping
    ) -> CloudValue {
        if type == SQLITE_TEXT {
            let text = text(value)
            switch column.kind {
            case .date:
                if let date = ISO8601Text.date(of: text) { return .date(date) }
            case .location:
                if let location = ValueText.location(text) { return .location(location) }
            case .reference:
                let isOwning = sqlite3_column_int64(pointer, column.index + 1) == 1
                return .reference(
                    CloudReference(recordID: ReferenceText.decode(text), action: isOwning ? .deleteSelf : .none)
                )
            case .asset:
                return .asset(assets.asset(contentName: text))
            case .list:
                if case .list(let element) = fieldType, let list = ValueText.list(text, of: element, assets: assets) {
                    return .list(list)
                }
            case .string, .int64, .double, .bytes:
                break
            }
            return .string(text)
        }
        // As it is: whoever maps the record sees that the type is another one, and says so.
        switch (column.kind, type) {
        case (.double, SQLITE_INTEGER): return .double(sqlite3_value_double(value))
        case (.date, SQLITE_INTEGER): return .date(Date(timeIntervalSinceReferenceDate: sqlite3_value_double(value)))
        case (_, SQLITE_INTEGER): return .int64(sqlite3_value_int64(value))
        case (_, SQLITE_FLOAT): return .double(sqlite3_value_double(value))
        default: return .bytes(blob(value))
        }
    }

    // The values belong to the statement, which only this thread uses, so the calls without a lock are allowed;
    // the bytes are copied before the next call on the statement.

    @inline(__always)
    private func text(_ value: OpaquePointer?, _ rows: inout RecordRowBuffer) -> RecordRows.Cell {
        let bytes = sqlite3_value_text(value)
        return rows.text(bytes, count: Int(sqlite3_value_bytes(value)))
    }

    private func text(_ value: OpaquePointer?) -> String {
        guard let bytes = sqlite3_value_text(value) else { return "" }
        return String(
            decoding: UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value))),
            as: UTF8.self
        )
    }

    private func blob(_ value: OpaquePointer?) -> Data {
        guard let bytes = sqlite3_value_blob(value) else { return Data() }
        return Data(bytes: bytes, count: Int(sqlite3_value_bytes(value)))
    }
}

extension RecordRows.Row {
    // Here and not in the type's module, of which nothing is inlined into this one.

    @inline(__always)
    fileprivate func set(_ cell: Int, _ kind: RecordRows.Cell.Kind, _ bits: UInt64) {
        self.bits[cell] = bits
        kinds[cell] = kind
    }

    @inline(__always)
    fileprivate func set(_ cell: Int, _ content: RecordRows.Cell) {
        set(cell, content.kind, content.bits)
    }
}
