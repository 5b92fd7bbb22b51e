import CloudRecords

extension MappingPlan {
    /// Checks that a store can order records by a field.
    ///
    /// - Throws: ``CloudError/Code/unsupported`` for a field that is kept as text and whose property's type sorts
    ///   otherwise.
    package func checkOrder(of name: String) throws {
        guard let slot = layout.index(of: name),
            layout.types[slot] == .string || layout.types[slot] == .list(of: .string),
            let step = fieldSteps.first(where: { $0.slot == slot }),
            let type = UnsortedType(step.access.valueType)
        else { return }
        throw type.error(orderOf: name)
    }
}
