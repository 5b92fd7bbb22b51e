import CloudRecords
import Synchronization

/// How the objects of one class are mapped to records and back; built once for each class.
package final class MappingPlan: Sendable {
    /// The class's name in messages.
    let typeName: String

    /// The fields that the class maps to.
    package let layout: FieldLayout

    let steps: MappingSteps

    /// For each field the property that it is made of, if that is of one of the most frequent types; those of embedded
    /// objects are left out.
    let directExports: [DirectProperty?]

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

    /// Where the fields are in records that have the plan's own layout.
    private let ownBinding: LayoutBinding
    // Most records that are not the class's own are of one layout, that of the store: for them no lock is taken.
    private let firstBinding = OnceReference<LayoutBinding>()
    private let lastBinding = Mutex<LayoutBinding?>(nil)
    private let lastRowBinding = Mutex<RowBinding?>(nil)

    /// The class, or the address of one: classes are never freed.
    let classID: ObjectIdentifier

    init(classID: ObjectIdentifier, typeName: String, layout: FieldLayout, steps: [MappingStep], isObservable: Bool) {
        self.classID = classID
        self.typeName = typeName
        self.layout = layout
        self.steps = MappingSteps(steps)
        var directExports = [DirectProperty?](repeating: nil, count: layout.count)
        for step in self.steps.directExports { directExports[Int(step.slot)] = step.property }
        self.directExports = directExports
        ownBinding = LayoutBinding(of: layout, to: layout)
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
        try with(planOf: object) { $0 }
    }

    /// Calls the body with the plan of an object's class, which costs less than getting hold of it.
    @inline(__always)
    static func with<Result>(
        planOf object: CloudDataObject,
        _ body: (MappingPlan) throws -> Result
    ) throws -> Result {
        let type = type(of: object)
        return try RecentPlans.all.with(type, body) ?? body(kept(for: type) { object })
    }

    /// The plan of a class.
    package static func plan(for type: CloudDataObject.Type) throws -> MappingPlan {
        try RecentPlans.all.with(type) { $0 } ?? kept(for: type) { type.init() }
    }

    private static func kept(
        for type: CloudDataObject.Type,
        instance: () -> CloudDataObject
    ) throws -> MappingPlan {
        let classID = ObjectIdentifier(type)
        if let plan = plans.withLock({ $0[classID] }) {
            RecentPlans.all.note(plan)
            return plan
        }
        // Built outside of the lock, for it runs user code. A failure is not remembered: conformances that are isolated
        // to an actor are not visible elsewhere.
        let plan = try MappingPlanBuilder.build(for: instance())
        return plans.withLock { plans in
            if let first = plans[classID] { return first }
            plans[classID] = plan
            return plan
        }
    }

    /// Where the plan's fields are in a record with another layout.
    package func binding(for layout: FieldLayout) -> LayoutBinding {
        with(bindingFor: layout) { $0 }
    }

    /// Calls the body with where the plan's fields are, which costs less than getting hold of it.
    @inline(__always)
    func with<Result>(bindingFor layout: FieldLayout, _ body: (LayoutBinding) throws -> Result) rethrows -> Result {
        if layout === self.layout { return try body(ownBinding) }
        return try firstBinding.with { try $0.layout === layout ? body($0) : nil } ?? body(otherBinding(for: layout))
    }

    private func otherBinding(for layout: FieldLayout) -> LayoutBinding {
        lastBinding.withLock { last in
            if let last, last.layout === layout { return last }
            let binding = LayoutBinding(of: self.layout, to: layout)
            if !firstBinding.setIfUnset(binding) { last = binding }
            return binding
        }
    }
}

extension MappingPlan {
    /// Where the plan's fields are in rows of a layout.
    package func rowBinding(for layout: FieldLayout) -> RowBinding {
        lastRowBinding.withLock { last in
            if let last, last.layout === layout { return last }
            let binding = RowBinding(binding(for: layout), self)
            last = binding
            return binding
        }
    }
}

/// The positions of a plan's fields in a record's layout.
package final class LayoutBinding: Sendable {
    package let layout: FieldLayout

    // The position of a field that the record lacks is negative. Half as wide as Int, for a walk over all of them.
    private let positions: [Int32]

    init(of fields: FieldLayout, to layout: FieldLayout) {
        self.layout = layout
        positions = fields.names.map { layout.index(of: $0).flatMap { Int32(exactly: $0) } ?? -1 }
    }

    /// The position of the field with a number in the plan; nil if the record lacks it.
    @inline(__always)
    subscript(slot: Int) -> Int? {
        let position = positions[slot]
        return position < 0 ? nil : Int(position)
    }

    /// The same for some fields.
    subscript(slots: Range<Int>) -> [Int?] { slots.map { self[$0] } }
}

extension MappingSteps {
    fileprivate var allFields: [FieldStep] { fields + embedded.flatMap(\.steps.allFields) }
}
