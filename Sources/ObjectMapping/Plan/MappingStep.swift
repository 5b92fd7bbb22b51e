import CloudRecords
import Foundation

/// One step of a plan, which maps one property.
enum MappingStep {
    case field(FieldStep)
    case embedded(EmbeddedStep)
}

/// The steps for the properties of one class, sorted by how they are walked over.
struct MappingSteps: Sendable {
    /// The properties that are kept in one field.
    let fields: [FieldStep]

    /// Those of the most frequent types. They are plain bytes: a walk over them counts no references.
    let directFields: [DirectStep]

    /// Those of other types.
    let otherFields: [FieldStep]

    /// The properties that hold embedded objects.
    let embedded: [EmbeddedStep]

    init(_ steps: [MappingStep]) {
        var fields: [FieldStep] = []
        var directFields: [DirectStep] = []
        var otherFields: [FieldStep] = []
        var embedded: [EmbeddedStep] = []
        for step in steps {
            switch step {
            case .field(let step):
                if let property = step.direct {
                    directFields.append(
                        DirectStep(
                            property: property,
                            slot: step.slot,
                            index: fields.count,
                            isExported: step.isExported,
                            isImported: step.isImported
                        )
                    )
                } else {
                    otherFields.append(step)
                }
                fields.append(step)
            case .embedded(let step):
                embedded.append(step)
            }
        }
        self.fields = fields
        self.directFields = directFields
        self.otherFields = otherFields
        self.embedded = embedded
    }
}

/// The part of a field's step that the most frequent types need.
struct DirectStep: Sendable {
    let property: DirectProperty
    let slot: Int
    /// The position of the whole step in ``MappingSteps/fields``.
    let index: Int
    let isExported: Bool
    let isImported: Bool
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

/// A property of one of the most frequent types, without any dynamic dispatch.
enum DirectProperty: Sendable {
    case string(PropertyLocation<String>)
    case optionalString(PropertyLocation<String?>)
    case int(PropertyLocation<Int>)
    case optionalInt(PropertyLocation<Int?>)
    case double(PropertyLocation<Double>)
    case optionalDouble(PropertyLocation<Double?>)
    case bool(PropertyLocation<Bool>)
    case optionalBool(PropertyLocation<Bool?>)
    case date(PropertyLocation<Date>)
    case optionalDate(PropertyLocation<Date?>)

    init?(_ property: TypeLayout.Property) {
        if let location = PropertyLocation<String>(property) {
            self = .string(location)
        } else if let location = PropertyLocation<String?>(property) {
            self = .optionalString(location)
        } else if let location = PropertyLocation<Int>(property) {
            self = .int(location)
        } else if let location = PropertyLocation<Int?>(property) {
            self = .optionalInt(location)
        } else if let location = PropertyLocation<Double>(property) {
            self = .double(location)
        } else if let location = PropertyLocation<Double?>(property) {
            self = .optionalDouble(location)
        } else if let location = PropertyLocation<Bool>(property) {
            self = .bool(location)
        } else if let location = PropertyLocation<Bool?>(property) {
            self = .optionalBool(location)
        } else if let location = PropertyLocation<Date>(property) {
            self = .date(location)
        } else if let location = PropertyLocation<Date?>(property) {
            self = .optionalDate(location)
        } else {
            return nil
        }
    }

    @inline(__always)
    func read(from object: AnyObject) -> FieldState {
        switch self {
        case .string(let location): .value(.string(location.load(from: object)))
        case .optionalString(let location): location.load(from: object).map { .value(.string($0)) } ?? .null
        case .int(let location): .value(.int64(Int64(location.load(from: object))))
        case .optionalInt(let location): location.load(from: object).map { .value(.int64(Int64($0))) } ?? .null
        case .double(let location): .value(.double(location.load(from: object)))
        case .optionalDouble(let location): location.load(from: object).map { .value(.double($0)) } ?? .null
        case .bool(let location): .value(.int64(location.load(from: object) ? 1 : 0))
        case .optionalBool(let location): location.load(from: object).map { .value(.int64($0 ? 1 : 0)) } ?? .null
        case .date(let location): .value(.date(location.load(from: object)))
        case .optionalDate(let location): location.load(from: object).map { .value(.date($0)) } ?? .null
        }
    }

    /// Writes a field that fits the property as it is; returns false if it doesn't, and nothing was written.
    @inline(__always)
    func write(_ state: FieldState, into object: AnyObject) -> Bool {
        switch (self, state) {
        case (.string(let location), .value(.string(let value))): location.store(value, into: object)
        case (.optionalString(let location), .value(.string(let value))): location.store(value, into: object)
        case (.optionalString(let location), .null): location.store(nil, into: object)
        case (.int(let location), .value(.int64(let value))):
            guard let value = Int(exactly: value) else { return false }
            location.store(value, into: object)
        case (.optionalInt(let location), .value(.int64(let value))):
            guard let value = Int(exactly: value) else { return false }
            location.store(value, into: object)
        case (.optionalInt(let location), .null): location.store(nil, into: object)
        case (.double(let location), .value(.double(let value))): location.store(value, into: object)
        case (.optionalDouble(let location), .value(.double(let value))): location.store(value, into: object)
        case (.optionalDouble(let location), .null): location.store(nil, into: object)
        case (.bool(let location), .value(.int64(let value))) where value == 0 || value == 1:
            location.store(value == 1, into: object)
        case (.optionalBool(let location), .value(.int64(let value))) where value == 0 || value == 1:
            location.store(value == 1, into: object)
        case (.optionalBool(let location), .null): location.store(nil, into: object)
        case (.date(let location), .value(.date(let value))): location.store(value, into: object)
        case (.optionalDate(let location), .value(.date(let value))): location.store(value, into: object)
        case (.optionalDate(let location), .null): location.store(nil, into: object)
        default: return false
        }
        return true
    }
}
