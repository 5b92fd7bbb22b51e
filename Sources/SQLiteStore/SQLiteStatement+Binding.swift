import CSQLite
import CloudRecords
import Foundation
import SQLStore

extension SQLiteStatement {
    /// SQLITE_TRANSIENT: SQLite copies the bytes at once. The macro is a cast that Swift does not import.
    static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    func bind(_ value: Int64, at parameter: Int) throws {
        try check(sqlite3_bind_int64(pointer, Int32(parameter), value))
    }

    func bind(_ value: Double, at parameter: Int) throws {
        try check(sqlite3_bind_double(pointer, Int32(parameter), value))
    }

    func bind(_ value: String, at parameter: Int) throws {
        try check(bindText(value, Int32(parameter)))
    }

    func bind(_ value: SQLValue, at parameter: Int) throws {
        switch value {
        case .null: try check(sqlite3_bind_null(pointer, Int32(parameter)))
        case .integer(let number): try bind(number, at: parameter)
        case .real(let number): try bind(number, at: parameter)
        case .text(let text): try bind(text, at: parameter)
        case .blob(let data): try check(bindBlob(data, Int32(parameter)))
        }
    }

    func bind(
        _ values: UnsafeBufferPointer<FieldState>,
        to columns: ContiguousArray<WriteColumn>
    ) throws -> Int? {
        for index in columns.indices {
            let column = columns[index]
            let code: Int32
            switch (values[column.field], column.kind) {
            case (.absent, _), (.null, _):
                code = bindNull(column)
            case (.value(.string(let text)), .string):
                code = bindText(text, column.parameter)
            case (.value(.int64(let number)), .int64):
                code = sqlite3_bind_int64(pointer, column.parameter, number)
            case (.value(.double(let number)), .double):
                code = sqlite3_bind_double(pointer, column.parameter, number)
            case (.value(.date(let date)), .date):
                code = sqlite3_bind_double(pointer, column.parameter, date.timeIntervalSinceReferenceDate)
            case (.value(.bytes(let data)), .bytes):
                code = bindBlob(data, column.parameter)
            case (.value(.reference(let reference)), .reference):
                try check(bindText(ReferenceText.encode(reference.recordID), column.parameter))
                code = sqlite3_bind_int64(pointer, column.parameter + 1, reference.action == .deleteSelf ? 1 : 0)
            case (.value(.location(let location)), .location):
                try check(bindText(ValueText.encode(location), column.parameter))
                try check(sqlite3_bind_double(pointer, column.parameter + 1, location.latitude))
                code = sqlite3_bind_double(pointer, column.parameter + 2, location.longitude)
            case (.value(.asset(let asset)), .asset):
                // Assets are in the store's keeping before they are bound.
                guard let contentName = asset.contentName else { return index }
                code = bindText(contentName, column.parameter)
            case (.value(.list(let elements)), .list):
                if let element = elements.first, element.fieldType != column.elementType { return index }
                code = bindText(ValueText.encode(elements), column.parameter)
            default:
                return index
            }
            try check(code)
        }
        return nil
    }

    private func bindNull(_ column: WriteColumn) -> Int32 {
        let width: Int32 =
            switch column.kind {
            case .location: 3
            case .reference: 2
            default: 1
            }
        for offset in 0..<width {
            let code = sqlite3_bind_null(pointer, column.parameter + offset)
            if code != SQLITE_OK { return code }
        }
        return SQLITE_OK
    }

    private func bindText(_ text: String, _ parameter: Int32) -> Int32 {
        // The copy is the string's storage, not its bytes; only a bridged string would be rewritten by withUTF8.
        var text = text
        return text.withUTF8 { bytes in
            let raw = UnsafeRawBufferPointer(bytes)
            if let copy = arena.copy(raw) {
                return sqlite3_bind_text(
                    pointer,
                    parameter,
                    copy.assumingMemoryBound(to: CChar.self),
                    Int32(raw.count),
                    nil
                )
            }
            return bytes.withMemoryRebound(to: CChar.self) { characters in
                sqlite3_bind_text64(
                    pointer,
                    parameter,
                    characters.baseAddress,
                    UInt64(characters.count),
                    Self.transient,
                    UInt8(SQLITE_UTF8)
                )
            }
        }
    }

    private func bindBlob(_ data: Data, _ parameter: Int32) -> Int32 {
        // A null pointer would bind NULL, and an empty Data may have one.
        if data.isEmpty { return sqlite3_bind_zeroblob(pointer, parameter, 0) }
        return data.withUnsafeBytes { bytes in
            sqlite3_bind_blob64(pointer, parameter, bytes.baseAddress, UInt64(bytes.count), Self.transient)
        }
    }
}
