import Foundation

/// How a value stands to another one, by the rules of predicates.
package enum ValueRelation: Sendable, Hashable {
    case less, equal, greater
    /// They are not equal, and have no order: values of different types, or of a type without an order.
    case different

    /// How a value of a field stands to another value.
    ///
    /// Text and data compare by bytes, numbers by their exact values whatever their types, dates by their seconds.
    /// References are equal when their record IDs are, locations when all of their values are, lists when their
    /// elements are, one by one. An asset equals nothing.
    static func between(_ left: CloudValue, _ right: CloudValue) -> ValueRelation {
        switch (left, right) {
        case (.string(let left), .string(let right)): between(left, right)
        case (.int64(let left), .int64(let right)): ordered(left, right)
        case (.double(let left), .double(let right)): ordered(left, right)
        case (.int64(let left), .double(let right)): between(left, right)
        case (.double(let left), .int64(let right)): between(right, left).reversed
        case (.date(let left), .date(let right)):
            ordered(left.timeIntervalSinceReferenceDate, right.timeIntervalSinceReferenceDate)
        case (.bytes(let left), .bytes(let right)): between(left, right)
        case (.location(let left), .location(let right)): left == right ? .equal : .different
        case (.reference(let left), .reference(let right)): left.recordID == right.recordID ? .equal : .different
        case (.list(let left), .list(let right)):
            left.elementsEqual(right) { between($0, $1) == .equal } ? .equal : .different
        default: .different
        }
    }

    static func between(_ left: String, _ right: String) -> ValueRelation {
        TextBytes.with(left, right) { between($0, $1) }
    }

    static func between(_ left: Data, _ right: Data) -> ValueRelation {
        left.withUnsafeBytes { left in right.withUnsafeBytes { between(left, $0) } }
    }

    /// By bytes; of two texts of which one begins with the other, the shorter one comes first.
    private static func between(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> ValueRelation {
        let common = min(left.count, right.count)
        if common > 0, let leftStart = left.baseAddress, let rightStart = right.baseAddress {
            let difference = memcmp(leftStart, rightStart, common)
            if difference != 0 { return difference < 0 ? .less : .greater }
        }
        return ordered(left.count, right.count)
    }

    /// By their exact values: an integer beyond 2^53 is not rounded to a double first.
    static func between(_ integer: Int64, _ double: Double) -> ValueRelation {
        if double >= 0x1p63 { return .less }
        if double < -0x1p63 { return .greater }
        if double.isNaN { return .different }
        let whole = Int64(double)
        if integer != whole { return integer < whole ? .less : .greater }
        return ordered(0, double - Double(whole))
    }

    /// `different` for what is not a number.
    static func ordered<Value: Comparable>(_ left: Value, _ right: Value) -> ValueRelation {
        if left < right { return .less }
        if left == right { return .equal }
        return left > right ? .greater : .different
    }

    var reversed: ValueRelation {
        switch self {
        case .less: .greater
        case .greater: .less
        case .equal, .different: self
        }
    }
}

extension CloudPredicate.Comparison {
    /// Whether the comparison is true of values that stand so to each other.
    func holds(_ relation: ValueRelation) -> Bool {
        switch self {
        case .equal: relation == .equal
        case .notEqual: relation != .equal
        case .less: relation == .less
        case .lessOrEqual: relation == .less || relation == .equal
        case .greater: relation == .greater
        case .greaterOrEqual: relation == .greater || relation == .equal
        }
    }

    /// The same of two values that have an order. What is not a number is different from all.
    @inline(__always)
    func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
        switch self {
        case .equal: left == right
        case .notEqual: left != right
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        case .greaterOrEqual: left >= right
        }
    }
}
