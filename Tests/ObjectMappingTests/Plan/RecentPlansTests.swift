import CloudRecords
import ObjectMapping
import Testing

/// One class for each pair of types: as many as a test wants.
private final class Generic<First, Second>: CloudDataObject {
    var value = ""
    override class var recordType: String { "Generic" }
}

@Suite struct RecentPlansTests {
    /// So many classes that some have the same place among the recent plans.
    private func classes() -> [CloudDataObject.Type] {
        let types: [Any.Type] = [
            Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self, UInt32.self,
            UInt64.self, Float.self, Double.self, Bool.self, String.self, Character.self, [Int].self, [String].self,
            Int?.self, String?.self, [Int?].self,
        ]
        func generic<First, Second>(_ first: First.Type, _ second: Second.Type) -> CloudDataObject.Type {
            Generic<First, Second>.self
        }
        return types.flatMap { first in types.map { generic(first, $0) } }
    }

    @Test func `each of many classes has its own plan, whatever was used before it`() throws {
        let classes = classes()
        let plans = try classes.map { try MappingPlan.plan(for: $0) }
        #expect(Set(plans.map(ObjectIdentifier.init)).count == classes.count)
        for _ in 0..<2 {
            for (type, plan) in zip(classes, plans) {
                #expect(try MappingPlan.plan(for: type) === plan)
                #expect(try MappingPlan.plan(for: type.init()) === plan)
            }
        }
    }
}
