/// Compares what is found with what is expected, prints the outcome, and remembers the surprises.
struct Expectations {
    private(set) var count = 0
    private(set) var surprises: [String] = []

    /// Checks that two values are equal.
    mutating func check<Value: Equatable>(_ statement: String, _ found: Value, equals expected: Value) {
        record(found == expected ? nil : "\(statement): found \(found), expected \(expected)", statement)
    }

    /// Checks that something is so.
    mutating func check(_ statement: String, _ isTrue: Bool) {
        record(isTrue ? nil : "not so: \(statement)", statement)
    }

    /// Remembers something that should not have happened.
    mutating func addSurprise(_ surprise: String) {
        surprises.append(surprise)
        print("  SURPRISE  \(surprise)")
    }

    private mutating func record(_ surprise: String?, _ statement: String) {
        count += 1
        if let surprise {
            addSurprise(surprise)
        } else {
            print("  ok  \(statement)")
        }
    }
}
