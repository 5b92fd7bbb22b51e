import CloudRecords

/// One step of a plan, which maps one property.
enum MappingStep {
    case field(FieldStep)
    case embedded(EmbeddedStep)
}

/// The steps for the properties of one class, sorted by how they are walked over.
struct MappingSteps: Sendable {
    /// The properties that are kept in one field.
    let fields: [FieldStep]

    /// Those of the most frequent types that are saved, and those that are loaded. They are plain bytes: a walk over them
    /// counts no references.
    let directExports: [DirectStep]
    let directImports: [DirectStep]

    /// Those of other types.
    let otherFields: [FieldStep]

    /// The properties that hold embedded objects.
    let embedded: [EmbeddedStep]

    init(_ steps: [MappingStep]) {
        var fields: [FieldStep] = []
        var direct: [DirectStep] = []
        var otherFields: [FieldStep] = []
        var embedded: [EmbeddedStep] = []
        for step in steps {
            switch step {
            case .field(let step):
                if let property = step.direct,
                    let directStep = DirectStep(property, slot: step.slot, index: fields.count)
                {
                    direct.append(directStep)
                } else {
                    otherFields.append(step)
                }
                fields.append(step)
            case .embedded(let step):
                embedded.append(step)
            }
        }
        directExports = direct.filter { fields[Int($0.index)].isExported }
        directImports = direct.filter { fields[Int($0.index)].isImported }
        self.fields = fields
        self.otherFields = otherFields
        self.embedded = embedded
    }

    /// Whether all properties are of the most frequent types.
    var isDirect: Bool { otherFields.isEmpty && embedded.isEmpty }
}

/// The part of a field's step that the most frequent types need.
struct DirectStep: Sendable {
    let property: DirectProperty
    /// The position of the field in the plan's layout.
    let slot: Int32
    /// The position of the whole step in ``MappingSteps/fields``.
    let index: Int32

    /// Fails if a position does not fit, of which a class would need billions.
    init?(_ property: DirectProperty, slot: Int, index: Int) {
        guard let slot = Int32(exactly: slot), let index = Int32(exactly: index) else { return nil }
        self.property = property
        self.slot = slot
        self.index = index
    }
}

// Steps are classes, so that a walk over them copies one pointer for each.

/// A property that is kept in one field.
final class FieldStep: Sendable {
    /// The position of the field in the plan's layout.
    let slot: Int
    let access: any PropertyAccess
    /// A faster way to read and write, for the most frequent types.
    let direct: DirectProperty?
    /// Whether a stored value that this build doesn't know may be loaded as a stand-in.
    let hasStandIns: Bool
    let holdsAssets: Bool
    let isExported: Bool
    let isImported: Bool

    init(slot: Int, access: any PropertyAccess, direct: DirectProperty?, isExported: Bool, isImported: Bool) {
        self.slot = slot
        self.access = access
        self.direct = direct
        hasStandIns = access.hasStandIns
        holdsAssets = access.fieldType == .asset || access.fieldType == .list(of: .asset)
        self.isExported = isExported
        self.isImported = isImported
    }
}

/// A property that holds an embedded object, kept in several fields.
final class EmbeddedStep: Sendable {
    /// The property's name in JSON.
    let name: String
    let location: EmbeddedObjectLocation
    /// The position of the field that tells an object from nil, for an optional property.
    let presenceSlot: Int?
    /// The positions of all its fields.
    let slots: Range<Int>
    let steps: MappingSteps
    let isExported: Bool
    let isImported: Bool

    init(
        name: String,
        location: EmbeddedObjectLocation,
        presenceSlot: Int?,
        slots: Range<Int>,
        steps: [MappingStep],
        isExported: Bool,
        isImported: Bool
    ) {
        self.name = name
        self.location = location
        self.presenceSlot = presenceSlot
        self.slots = slots
        self.steps = MappingSteps(steps)
        self.isExported = isExported
        self.isImported = isImported
    }
}
