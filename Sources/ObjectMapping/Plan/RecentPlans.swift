import Synchronization

/// The plans of the classes that were used last, found without a lock and without hashing.
///
/// Every class has one place, which its address tells; of classes with the same place, the last one has it.
final class RecentPlans: @unchecked Sendable {
    // Sound: the memory is allocated once and, as is the only instance, never freed, and it holds nothing but atomics,
    // which are made for use by several threads.
    private let places: UnsafeMutablePointer<Atomic<Unmanaged<MappingPlan>?>>

    private static let count = 256

    static let all = RecentPlans()

    private init() {
        places = .allocate(capacity: Self.count)
        for index in 0..<Self.count { (places + index).initialize(to: Atomic(nil)) }
    }

    private func place(of classID: ObjectIdentifier) -> Int {
        // Metadata of classes is aligned to 8 bytes, and its size is a few hundred.
        let address = UInt(bitPattern: classID)
        return Int(((address >> 4) ^ (address >> 12)) % UInt(Self.count))
    }

    /// Calls the body with the plan of a class, if it is among them. The plan's references are not counted.
    @inline(__always)
    func with<Result>(_ type: CloudDataObject.Type, _ body: (MappingPlan) throws -> Result) rethrows -> Result? {
        let classID = ObjectIdentifier(type)
        // Acquiring, for the plan has to be seen whole.
        return try places[place(of: classID)].load(ordering: .acquiring)?._withUnsafeGuaranteedRef { plan in
            plan.classID == classID ? try body(plan) : nil
        }
    }

    /// Keeps a plan, which must never be freed.
    func note(_ plan: MappingPlan) {
        places[place(of: plan.classID)].store(Unmanaged.passUnretained(plan), ordering: .releasing)
    }
}
