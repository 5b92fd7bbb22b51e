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

    func readRows(_ plan: ReadPlan, upTo count: Int, into rows: inout RowBuffer) throws -> Int {
        let assets = rows.assets
        var read = 0
        while read < count, try step() {
            readHead(into: &rows)
            plan.columns.withUnsafeBufferPointer { columns in
                for column in columns {
                    rows.fields.append(field(column, assets))
                }
            }
            read += 1
        }
        return read
    }

    // The numbers of the columns are those of SystemColumn.head.
    private func readHead(into rows: inout RowBuffer) {
        rows.append(
            RowBuffer.Head(
                name: text(sqlite3_column_value(pointer, 0)),
                zone: sqlite3_column_int64(pointer, 1),
                sequence: sqlite3_column_int64(pointer, 2),
                created: date(sqlite3_column_value(pointer, 3)),
                modified: date(sqlite3_column_value(pointer, 4)),
                creator: user(5, &rows),
                modifier: user(6, &rows)
            )
        )
    }

    private func user(_ column: Int32, _ rows: inout RowBuffer) -> Int {
        let value = sqlite3_column_value(pointer, column)
        let bytes = sqlite3_value_text(value)
        return rows.user(UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value))))
    }

    private func field(_ column: ReadPlan.Column, _ assets: any AssetKeeping) -> FieldState {
        let value = sqlite3_column_value(pointer, column.index)
        let type = sqlite3_value_type(value)
        switch (column.kind, type) {
        case (_, SQLITE_NULL):
            return .null
        case (.string, SQLITE_TEXT):
            return .value(.string(text(value)))
        case (.int64, SQLITE_INTEGER):
            return .value(.int64(sqlite3_value_int64(value)))
        case (.double, SQLITE_FLOAT):
            return .value(.double(sqlite3_value_double(value)))
        case (.date, SQLITE_FLOAT):
            return .value(.date(Date(timeIntervalSinceReferenceDate: sqlite3_value_double(value))))
        case (.bytes, SQLITE_BLOB):
            return .value(.bytes(blob(value)))
        default:
            return .value(complexField(column, value, type, assets))
        }
    }

    /// A value that is kept as text, or one that another tool wrote into the column.
    private func complexField(
        _ column: ReadPlan.Column,
        _ value: OpaquePointer?,
        _ type: Int32,
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
                if let list = ValueText.list(text, of: column.elementType, assets: assets) { return .list(list) }
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

    private func date(_ value: OpaquePointer?) -> Date? {
        switch sqlite3_value_type(value) {
        case SQLITE_FLOAT, SQLITE_INTEGER: Date(timeIntervalSinceReferenceDate: sqlite3_value_double(value))
        case SQLITE_TEXT: ISO8601Text.date(of: text(value))
        default: nil
        }
    }

    // The values belong to the statement, which only this thread uses, so the calls without a lock are allowed;
    // the bytes are copied before the next call on the statement.

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
