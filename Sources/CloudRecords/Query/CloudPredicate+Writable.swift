extension CloudPredicate.Node {
    /// Checks that the tree is one that a format can be, so that its description is a format that is equal to it.
    ///
    /// - Throws: ``CloudError/Code/invalidArguments`` for a tree that only data from outside can be.
    /// - Complexity: O(*n*) in the size of the tree. It does not recurse.
    func checkWritable() throws {
        var left = [self]
        while let node = left.popLast() {
            left += node.children
            switch node {
            case .and(let nodes), .or(let nodes):
                guard nodes.count > 1 else {
                    throw Self.notWritable("joins fewer than two conditions by AND or OR")
                }
            case .quantified(let quantifier, let field, let element):
                guard element.isComparison else {
                    throw Self.notWritable("has something else than one comparison after \(quantifier.rawValue)", field)
                }
                if case .compare(_, _, .list?, _) = element {
                    throw Self.notWritable("compares the elements of a list with a list", field)
                }
            case .compare(let field, let comparison, .list?, _) where comparison.isOrder:
                throw Self.notWritable("compares a list by \(comparison.rawValue)", field)
            case .contains(let field, .list, _):
                throw Self.notWritable("looks for a list in a list", field)
            default:
                break
            }
        }
    }

    private var isComparison: Bool {
        switch self {
        case .compare, .between, .oneOf, .beginsWith, .endsWith, .like, .contains, .near: true
        case .everything, .nothing, .quantified, .tokens, .not, .and, .or, .malformed: false
        }
    }

    private static func notWritable(_ problem: String, _ field: String? = nil) -> CloudError {
        CloudError(
            .invalidArguments,
            "The decoded predicate \(problem)\(field.map { ", in a comparison of the field \($0)" } ?? "").",
            remedy: "Encode predicates that were made in Swift or from a format.",
            field: field
        )
    }
}
