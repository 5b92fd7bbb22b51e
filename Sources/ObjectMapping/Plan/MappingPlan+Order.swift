import CloudRecords

extension MappingPlan {
    /// Checks that a store can order records by a field.
    ///
    /// Records are sorted by the raw values of a type that has no order of its own.
    ///
    /// - Throws: ``CloudError/Code/unsupported`` for a field that is kept as text and whose property's type sorts
    ///   otherwise.
    package func checkOrder(of name: String, for use: QueryCheck.OrderUse) throws {
        guard let slot = layout.index(of: name),
            layout.types[slot] == .string || layout.types[slot] == .list(of: .string),
            let step = fieldSteps.first(where: { $0.slot == slot }),
            let type = UnsortedType(step.access.valueType)
        else { return }
        let valueType = (step.access.valueType as? any OptionalType.Type)?.wrappedType ?? step.access.valueType
        if use == .sorting, valueType is any RawRepresentable.Type, !(valueType is any Comparable.Type) { return }
        throw type.error(orderOf: name)
    }
}
