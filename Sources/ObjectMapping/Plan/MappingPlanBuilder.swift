import CloudRecords

/// Builds the plan of a class from its layout and its field rules.
struct MappingPlanBuilder {
    private var names: [String] = []
    private var types: [CloudFieldType?] = []
    private var claimedNames: Set<String> = []
    private var isObservable = false
    private let className: String

    /// - Throws: ``CloudError/Code/mappingFailed`` naming class, property and type if the class can't be mapped.
    static func build(for object: CloudDataObject) throws -> MappingPlan {
        let type = Swift.type(of: object)
        var builder = MappingPlanBuilder(className: String(describing: type))
        try builder.check(recordType: type.recordType, of: type)
        let scope = Scope(prefix: "", path: [], enclosingTypes: [], className: builder.className)
        let layout = try TypeLayout(of: object, below: CloudDataObject.self)
        let steps = try builder.steps(for: layout, rules: type.fieldRules, in: scope)
        return MappingPlan(
            classID: ObjectIdentifier(type),
            typeName: builder.className,
            layout: FieldLayout(recordType: type.recordType, names: builder.names, types: builder.types),
            steps: steps,
            isObservable: builder.isObservable
        )
    }

    private init(className: String) {
        self.className = className
    }

    /// Where in an object the builder is: at the top, or in an embedded object.
    private struct Scope {
        /// What precedes the names of fields.
        let prefix: String
        /// The properties that lead here.
        let path: [String]
        /// The classes of the embedded objects that lead here.
        let enclosingTypes: [CloudEmbeddedObject.Type]
        /// The class that is mapped here.
        let className: String
    }

    private func check(recordType: String, of type: CloudDataObject.Type) throws {
        guard NameRule.violation(ofIdentifier: recordType) == nil else {
            throw CloudError(
                .mappingFailed,
                "Class \(className) has no legal record type: \(recordType.debugDescription).",
                remedy: "Override the class property recordType with a name of letters, digits and underscores; "
                    + "a generic class has to."
            )
        }
    }

    private mutating func steps(
        for layout: TypeLayout,
        rules: [FieldRule],
        in scope: Scope
    ) throws -> [MappingStep] {
        let properties = MappedProperty.list(of: layout)
        isObservable = isObservable || layout.properties.contains(where: \.isObservationRegistrar)
        var actions: [Int: [FieldRule.Action]] = [:]
        for rule in rules {
            guard
                let index = properties.lastIndex(where: { $0.name == rule.property })
                    ?? properties.lastIndex(where: { $0.isStored(as: rule.property) })
            else {
                throw failure(
                    "a field rule names it, but the class has no such stored property",
                    remedy: "Correct the name in fieldRules.",
                    property: rule.property,
                    in: scope
                )
            }
            actions[index, default: []].append(rule.action)
        }
        var steps: [MappingStep] = []
        for (index, property) in properties.enumerated() {
            let rules = PropertyRules(actions[index] ?? [])
            guard !rules.isIgnored, property.isMappable else { continue }
            steps.append(try step(for: property, rules: rules, in: scope))
        }
        return steps
    }

    private mutating func step(
        for property: MappedProperty,
        rules: PropertyRules,
        in scope: Scope
    ) throws -> MappingStep {
        let fieldName = scope.prefix + (rules.fieldName ?? property.name)
        if rules.conversion == nil, let location = property.embeddedObject {
            return .embedded(
                try embeddedStep(for: property, at: location, fieldName: fieldName, rules: rules, in: scope)
            )
        }
        guard let access = property.access(converting: rules.conversion) else {
            throw failure(
                for: property,
                isConverted: rules.conversion != nil,
                in: scope
            )
        }
        return .field(
            FieldStep(
                slot: try addField(fieldName, type: access.fieldType, of: property, in: scope),
                access: access,
                direct: rules.conversion == nil ? property.directProperty : nil,
                isExported: rules.isExported,
                isImported: rules.isImported
            )
        )
    }

    private mutating func embeddedStep(
        for property: MappedProperty,
        at location: EmbeddedObjectLocation,
        fieldName: String,
        rules: PropertyRules,
        in scope: Scope
    ) throws -> EmbeddedStep {
        let type = location.embeddedType
        let path = scope.path + [property.name]
        if scope.enclosingTypes.contains(where: { $0 == type }) {
            throw failure(
                "embedded objects form a cycle: \(([className] + path).joined(separator: "."))",
                remedy: "Keep one of them as a CloudReference, or leave it out with the rule "
                    + ".ignore(\"\(property.name)\").",
                property: property.name,
                in: scope
            )
        }
        let start = names.count
        var presenceSlot: Int?
        if location.isOptional {
            presenceSlot = try addField(fieldName, type: .int64, of: property, in: scope)
        } else {
            // No field has this name, but the fields begin with it, and the JSON form has it as a key.
            try claim(fieldName, for: property, in: scope)
        }
        let inner = Scope(
            prefix: fieldName + "__",
            path: path,
            enclosingTypes: scope.enclosingTypes + [type],
            className: String(describing: type)
        )
        let layout = try TypeLayout(of: type.init(), below: CloudEmbeddedObject.self)
        let steps = try steps(for: layout, rules: type.fieldRules, in: inner)
        return EmbeddedStep(
            name: rules.fieldName ?? property.name,
            location: location,
            presenceSlot: presenceSlot,
            slots: start..<names.count,
            steps: steps,
            isExported: rules.isExported,
            isImported: rules.isImported
        )
    }

    private mutating func addField(
        _ name: String,
        type: CloudFieldType?,
        of property: MappedProperty,
        in scope: Scope
    ) throws -> Int {
        try claim(name, for: property, in: scope)
        names.append(name)
        types.append(type)
        return names.count - 1
    }

    /// Checks a name that is to stand for one property only.
    private mutating func claim(_ name: String, for property: MappedProperty, in scope: Scope) throws {
        if let violation = NameRule.violation(ofFieldName: name) {
            let wrapperAdvice =
                property.name.hasPrefix("_")
                ? " If it is wrapped, let the wrapper conform to CloudPropertyWrapper." : ""
            throw failure(
                "the field name \(NameRule.quoted(name)) \(violation.reason)",
                remedy: "Give the property another field with the rule .rename(\"\(property.name)\", to: …)."
                    + wrapperAdvice,
                property: property.name,
                in: scope
            )
        }
        guard claimedNames.insert(name).inserted else {
            throw failure(
                "two properties are kept in the field \(name)",
                remedy: "Give one of them another field with the rule .rename(\"\(property.name)\", to: …).",
                property: property.name,
                in: scope
            )
        }
    }

    private func failure(for property: MappedProperty, isConverted: Bool, in scope: Scope) -> CloudError {
        let typeName = String(describing: property.stored.type)
        if isConverted {
            return failure(
                "the conversion in fieldRules is for another type than \(typeName)",
                remedy: "Declare the parameter of its encode closure with the property's exact type.",
                property: property.name,
                in: scope
            )
        }
        let remedy =
            property.holdsDataObjects
            ? "Refer to another object by a CloudReference, or make its class a CloudEmbeddedObject to keep it inside."
            : "Make the type Codable, or RawRepresentable over a mapped type; convert the property with the rule "
                + ".convert; or leave it out with .ignore(\"\(property.name)\"). A property wrapper has to conform to "
                + "CloudPropertyWrapper."
        return failure(
            "there is no mapping for its type \(typeName)",
            remedy: remedy,
            property: property.name,
            in: scope
        )
    }

    private func failure(_ reason: String, remedy: String, property: String, in scope: Scope) -> CloudError {
        CloudError(
            .mappingFailed,
            "Class \(scope.className), property \(property): \(reason).",
            remedy: remedy,
            field: (scope.path + [property]).joined(separator: ".")
        )
    }
}

/// The rules that name one property, taken together.
private struct PropertyRules {
    private(set) var fieldName: String?
    private(set) var conversion: (any FieldCodec)?
    private(set) var isIgnored = false
    private(set) var isExported = true
    private(set) var isImported = true

    init(_ actions: [FieldRule.Action]) {
        for action in actions {
            switch action {
            case .rename(let name): fieldName = name
            case .convert(let codec): conversion = codec
            case .ignore: isIgnored = true
            case .exportOnly: isImported = false
            case .importOnly: isExported = false
            }
        }
    }
}
