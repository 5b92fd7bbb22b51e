import CSQLite
import CloudRecords
import Foundation
import SQLStore

/// The SQL functions that connections have besides SQLite's own: what the evaluator does, for the engine to call.
///
/// All of them are deterministic, and null for arguments that they don't understand.
enum SQLiteFunction: String, CaseIterable {
    /// `cloud_folded(text, options)`, see ``TextFolding``.
    case folded = "cloud_folded"
    /// `cloud_like(text, pattern, options)`, see ``LikePattern``.
    case like = "cloud_like"
    /// `cloud_bytes(text)`: what a base64 text stands for.
    case bytes = "cloud_bytes"
    /// `cloud_number(value)`: the number that a decimal text stands for, exactly; numbers as they are.
    case number = "cloud_number"
    /// `cloud_has_words(words, text, …)`: whether all words occur in some of the texts, see ``TokenText``.
    case hasWords = "cloud_has_words"
    /// `cloud_change_tag(sequence)`, see ``ChangeTag``.
    case changeTag = "cloud_change_tag"
    /// `cloud_distance(latitude, longitude, from latitude, longitude)`, see ``CloudLocation/distance(to:)``.
    case distance = "cloud_distance"
    /// `cloud_element_distance(element, from latitude, longitude)`, for a location as lists have it.
    case elementDistance = "cloud_element_distance"

    private var argumentCount: Int32 {
        switch self {
        case .folded: 2
        case .like: 3
        case .bytes, .number, .changeTag: 1
        case .hasWords: -1
        case .distance: 4
        case .elementDistance: 3
        }
    }

    private typealias Body = @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

    // A C function has no context, so each body makes the call's values anew from SQLite's pointers.
    private var body: Body {
        switch self {
        case .folded: { context, count, values in FunctionCall(context, count, values).fold() }
        case .like: { context, count, values in FunctionCall(context, count, values).like() }
        case .bytes: { context, count, values in FunctionCall(context, count, values).bytes() }
        case .number: { context, count, values in FunctionCall(context, count, values).number() }
        case .hasWords: { context, count, values in FunctionCall(context, count, values).hasWords() }
        case .changeTag: { context, count, values in FunctionCall(context, count, values).changeTag() }
        case .distance: { context, count, values in FunctionCall(context, count, values).distance() }
        case .elementDistance: { context, count, values in FunctionCall(context, count, values).elementDistance() }
        }
    }

    /// Makes the functions known to a connection.
    static func register(on connection: SQLiteConnection) throws {
        for function in allCases {
            let code = sqlite3_create_function_v2(
                connection.handle,
                function.rawValue,
                function.argumentCount,
                SQLITE_UTF8 | SQLITE_DETERMINISTIC,
                nil,
                function.body,
                nil,
                nil,
                nil
            )
            guard code == SQLITE_OK else { throw connection.error(code) }
        }
    }
}

/// One call of a function.
///
/// The pointers are SQLite's and good until the function returns; the call is a local value of the function's body
/// and does not outlive it. SQLite passes as many values as the function was registered with, or as the call has.
private struct FunctionCall {
    private let context: OpaquePointer?
    private let values: UnsafeBufferPointer<OpaquePointer?>

    init(_ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
        self.context = context
        self.values = UnsafeBufferPointer(start: values, count: values == nil ? 0 : Int(count))
    }

    func fold() {
        guard let text = text(0), let options = options(1) else { return }
        setResult(TextFolding.folded(text, options))
    }

    func like() {
        guard let text = text(0), let options = options(2) else { return }
        guard let pattern = prepared(1, { LikePattern($0, options) }) else { return }
        sqlite3_result_int(context, pattern.matches(text) ? 1 : 0)
    }

    func hasWords() {
        guard let words = prepared(0, { Set(TokenText.words(of: $0)) }) else { return }
        var missing = words
        for index in values.indices.dropFirst() where !missing.isEmpty {
            guard let text = text(index) else { continue }
            TokenText.forEachWord(of: text) { missing.remove($0) }
        }
        sqlite3_result_int(context, missing.isEmpty && !words.isEmpty ? 1 : 0)
    }

    func number() {
        if let text = text(0) {
            if let number = Double(text) { sqlite3_result_double(context, number) }
        } else if let value = values.first, let value {
            sqlite3_result_value(context, value)
        }
    }

    func bytes() {
        guard let text = text(0), let data = Data(base64Encoded: text) else { return }
        if data.isEmpty { return sqlite3_result_zeroblob(context, 0) }
        data.withUnsafeBytes { bytes in
            sqlite3_result_blob64(context, bytes.baseAddress, UInt64(bytes.count), SQLiteStatement.transient)
        }
    }

    func changeTag() {
        guard let value = values.first, let value, sqlite3_value_type(value) == SQLITE_INTEGER else { return }
        setResult(ChangeTag.text(sqlite3_value_int64(value)))
    }

    func distance() {
        guard let location = self.location(0), let place = self.location(2) else { return }
        sqlite3_result_double(context, location.distance(to: place))
    }

    func elementDistance() {
        guard let text = text(0), let location = ValueText.location(text), let place = self.location(1) else { return }
        sqlite3_result_double(context, location.distance(to: place))
    }

    // MARK: Values

    private func location(_ index: Int) -> CloudLocation? {
        guard let latitude = double(index), let longitude = double(index + 1) else { return nil }
        return CloudLocation(latitude: latitude, longitude: longitude)
    }

    private func double(_ index: Int) -> Double? {
        guard index < values.count, let value = values[index] else { return nil }
        let type = sqlite3_value_type(value)
        return type == SQLITE_FLOAT || type == SQLITE_INTEGER ? sqlite3_value_double(value) : nil
    }

    private func text(_ index: Int) -> String? {
        guard index < values.count, let value = values[index], sqlite3_value_type(value) == SQLITE_TEXT else {
            return nil
        }
        guard let bytes = sqlite3_value_text(value) else { return nil }
        // Copied before the next call on the value.
        return String(
            decoding: UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value))),
            as: UTF8.self
        )
    }

    private func options(_ index: Int) -> TextOptions? {
        guard index < values.count, let value = values[index] else { return nil }
        return TextOptions(rawValue: UInt8(truncatingIfNeeded: sqlite3_value_int64(value)))
    }

    private func setResult(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                // SQLite copies the bytes at once. Without an address, which an empty text may have, it would be null.
                if let address = characters.baseAddress {
                    let count = UInt64(characters.count)
                    sqlite3_result_text64(context, address, count, SQLiteStatement.transient, UInt8(SQLITE_UTF8))
                } else {
                    sqlite3_result_text64(context, "", 0, SQLiteStatement.transient, UInt8(SQLITE_UTF8))
                }
            }
        }
    }

    /// What is made of the text in an argument, once for as long as the statement runs with the same one.
    ///
    /// One argument of a function has one type of it.
    private func prepared<Content>(_ index: Int, _ make: (String) -> Content) -> Content? {
        // SQLite returns what was set for the same argument of the same statement, which below is an object that it
        // holds a reference to, of the type that this call of the same function asks for.
        if let known = sqlite3_get_auxdata(context, Int32(index)) {
            return Unmanaged<Prepared<Content>>.fromOpaque(known).takeUnretainedValue().content
        }
        guard let text = text(index) else { return nil }
        let prepared = Prepared(make(text))
        let content = prepared.content
        // The reference is SQLite's now; it gives it back by the destructor exactly once, maybe already in this call.
        sqlite3_set_auxdata(context, Int32(index), Unmanaged.passRetained(prepared).toOpaque()) { pointer in
            if let pointer { Unmanaged<AnyObject>.fromOpaque(pointer).release() }
        }
        return content
    }
}

/// What was made of an argument, for SQLite to hold.
private final class Prepared<Content> {
    let content: Content

    init(_ content: Content) {
        self.content = content
    }
}
