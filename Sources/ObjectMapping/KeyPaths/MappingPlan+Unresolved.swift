import CloudRecords

extension MappingPlan {
    /// The error of a key path that leads to no field. It names what the key path's value depends on.
    func unresolved(_ keyPath: AnyKeyPath, in probe: CloudDataObject) -> CloudError {
        let valueType = type(of: keyPath).valueType
        let candidates = KeyPathCandidate.systemFields + KeyPathCandidate.fields(of: steps, in: layout, reach: { $0 })
        let message = "A key path of type \(valueType) leads to no property of \(typeName) that is kept in a field"
        if let json = candidates.first(where: { $0.isReadable(as: valueType) && $0.field.isJSON }),
            json.writeProbe(probe, false) == nil
        {
            return CloudError(
                .unsupported,
                "\(message) and can be found: field \(json.field.name) of the type \(json.valueType) is kept as JSON, and a "
                    + "property kept as JSON can only be tested for nil.",
                remedy: "Write the field's name: \(json.field.name) == nil.",
                field: json.field.name
            )
        }
        for candidate in candidates { _ = candidate.writeProbe(probe, false) }
        let causes = candidates.filter { depends(keyPath, on: $0, in: probe) }
        let fields = causes.map(\.field)
        guard let field = fields.first else {
            let owner = Self.storedPath(of: keyPath).map { " It goes on from \($0)." } ?? ""
            return CloudError(
                .invalidArguments,
                "\(message).\(owner)",
                remedy: "Use a stored property; for one of a type without two known values, write the field's name."
            )
        }
        guard fields.count == 1 else {
            return CloudError(
                .invalidArguments,
                "\(message): it is calculated from the fields \(fields.map(\.name).joined(separator: ", ")).",
                remedy: "Compare the stored properties themselves, or filter the results yourself."
            )
        }
        // A part of what is kept as JSON; a computed property of the same type is another matter.
        if field.isJSON, !causes[0].isReadable(as: valueType) { return field.onlyTestedForNil }
        return CloudError(
            .invalidArguments,
            "\(message): it is calculated from field \(field.name).",
            remedy: field.remedyForParts,
            field: field.name
        )
    }

    /// Whether the key path's value changes with that of a property, which holds its first recognisable value.
    private func depends(_ keyPath: AnyKeyPath, on candidate: KeyPathCandidate, in probe: CloudDataObject) -> Bool {
        guard let before = probe[keyPath: keyPath], candidate.writeProbe(probe, true) != nil else { return false }
        defer { _ = candidate.writeProbe(probe, false) }
        return probe[keyPath: keyPath].map { !isSame(before, $0) } ?? false
    }

    private func isSame(_ left: Any, _ right: Any) -> Bool {
        if let left = left as? AnyHashable, let right = right as? AnyHashable { return left == right }
        return String(describing: left) == String(describing: right)
    }

    /// The stored property that a key path goes on from, as the runtime describes it; nil if it doesn't tell.
    private static func storedPath(of keyPath: AnyKeyPath) -> String? {
        guard let path = keyPath.debugDescription.split(separator: "<computed").first else { return nil }
        let parts = path.split(separator: ".")
        return parts.count > 1 ? parts.joined(separator: ".") : nil
    }
}

extension KeyPathField {
    /// What to do instead of comparing a part of the field's value.
    var remedyForParts: String {
        if isJSON { return "Test the property \(name) for nil, or filter the results yourself." }
        return name == SystemField.recordID.rawValue
            ? "Compare recordID itself with a CloudRecordID or a record name."
            : "Compare the property \(name) itself with a value of its type, or filter the results yourself."
    }
}
