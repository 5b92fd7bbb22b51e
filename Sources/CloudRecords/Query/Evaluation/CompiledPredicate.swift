/// A predicate made ready to look at many records in memory.
///
/// It gives the answers that the stores give. What can be done once is done when it is made: text is folded, words are
/// split, and the names of fields become numbers.
///
/// A field that is absent is null to it; so give it records with all fields that the predicate names.
package struct CompiledPredicate: Sendable {
    private let conjunction: Conjunction
    private let positions: FieldPositions

    /// Compiles a predicate. That fields exist and have the right types is for ``QueryCheck`` to find out: here a
    /// value of a type that an operator can't compare matches nothing, apart from `!=`, which it does match.
    ///
    /// - Throws: The error of a literal that is not a predicate.
    package init(_ predicate: CloudPredicate) throws {
        try predicate.checkWellFormed()
        var compiler = PredicateCompiler()
        conjunction = compiler.conjunction(predicate.node)
        positions = FieldPositions(names: compiler.names)
    }

    /// Whether the predicate matches a record.
    /// - Complexity: As the predicate's terms. The first record of each layout costs a look-up for each field.
    package func matches(_ record: CloudRecord) -> Bool {
        positions.withFields(of: record) { conjunction.holds(record, $0, .absent) }
    }
}
