import Foundation

/// A value as SQL knows it: what a column holds and a parameter is bound to.
package enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob(Data)
}
