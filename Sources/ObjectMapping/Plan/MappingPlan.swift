import CloudRecords
import Synchronization

/// How the objects of one class are mapped to records and back; built once for each class.
package final class MappingPlan: Sendable {
    /// The class's name in messages.
    let typeName: String

    /// The fields that the class maps to.
    package let layout: FieldLayout

    let steps: MappingSteps

    /// All steps that map one field, those of embedded objects included.
    let fieldSteps: [FieldStep]

    /// Whether any field may hold a value that this build doesn't know and loads as a stand-in.
    let hasStandIns: Bool

    /// Whether any field may hold assets.
    let holdsAssets: Bool

    /// Whether loaded objects should be replaced rather than changed: a write by the mapper doesn't notify observers.
    package let isObservable: Bool

    /// The fields that key paths were found to lead to.
    let keyPathFields = Mutex<[KeptKeyPath: KeyPathField]>([:])

    private let lastBinding = Mutex<LayoutBinding?>(nil)

    init(typeName: String, layout: FieldLayout, steps: [MappingStep], isObservable: Bool) {
        self.typeName = typeName
        self.layout = layout
        self.steps = MappingSteps(steps)
        self.isObservable = isObservable
        fieldSteps = self.steps.allFields
        hasStandIns = fieldSteps.contains(where: \.hasStandIns)
        holdsAssets = fieldSteps.contains(where: \.holdsAssets)
    }

    private static let plans = Mutex<[ObjectIdentifier: MappingPlan]>([:])

    /// The plan of an object's class.
    ///
    /// - Throws: ``CloudError/Code/mappingFailed`` naming class, property and type if the class can't be mapped.
    package static func plan(for object: CloudDataObject) throws -> MappingPlan {
        try plan(for: type(of: object), instance: { object })
    }

    /// The plan of a class.
    package static func plan(for type: CloudDataObject.Type) throws -> MappingPlan {
        try plan(for: type, instance: { type.init() })
    }

    private static func plan(
        for type: CloudDataObject.Type,
        instance: () -> CloudDataObject
    ) throws -> MappingPlan {
        if let plan = plans.withLock({ $0[ObjectIdentifier(type)] }) { return plan }
        // Built outside of the lock, for it runs user code. A failure is not remembered: conformances that are isolated
        // to an actor are not visible elsewhere.
        let plan = try MappingPlanBuilder.build(for: instance())
        return plans.withLock { plans in
            if let first = plans[ObjectIdentifier(type)] { return first }
            plans[ObjectIdentifier(type)] = plan
            return plan
        }
    }

    /// Where the plan's fields are in a record with another layout.
    package func binding(for layout: FieldLayout) -> LayoutBinding {
        lastBinding.withLock { last in
            if let last, last.layout === layout { return last }
            let binding = LayoutBinding(layout: layout, slots: self.layout.names.map { layout.index(of: $0) })
            last = binding
            return binding
        }
    }
}

/// The positions of a plan's fields in a record's layout; nil for those that the record lacks.
package struct LayoutBinding: Sendable {
    package let layout: FieldLayout
    let slots: [Int?]
}

extension MappingSteps {
    fileprivate var allFields: [FieldStep] { fields + embedded.flatMap(\.steps.allFields) }
}
