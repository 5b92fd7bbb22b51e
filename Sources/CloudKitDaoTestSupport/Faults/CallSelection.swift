/// Which of the calls from now on a fault concerns.
///
/// ```swift
/// store.fail(.modify, on: 2, with: error)            // the second one only
/// store.fail(.modify, on: .first(3), with: error)
/// store.fail(.modify, on: .every, with: error)
/// ```
public enum CallSelection: Sendable, Hashable, ExpressibleByIntegerLiteral {
    /// The one with this number, counted from 1.
    case only(Int)
    /// So many from the next one on.
    case first(Int)
    /// All of them.
    case every

    public init(integerLiteral number: Int) {
        self = .only(number)
    }

    /// Whether the call with this number is meant.
    func contains(_ number: Int) -> Bool {
        switch self {
        case .only(let only): number == only
        case .first(let count): number <= count
        case .every: true
        }
    }
}
