import CloudRecords
import Testing

@Suite struct OnceReferenceTests {
    private final class Item: Sendable {}

    /// Holds a reference, which can't be copied itself.
    private final class Holder: Sendable {
        private let reference = OnceReference<Item>()

        func set(_ item: Item) -> Bool { reference.setIfUnset(item) }

        var item: Item? { reference.with { $0 } }
    }

    @Test func `what is set first stays`() {
        let holder = Holder()
        let (first, second) = (Item(), Item())
        #expect(holder.item == nil)
        #expect(holder.set(first))
        #expect(!holder.set(second))
        #expect(holder.item === first)
    }

    @Test func `the object lives as long as the reference, and a refused one is let go`() {
        var holder: Holder? = Holder()
        weak var kept: Item?
        weak var refused: Item?
        func setTwice() {
            let (first, second) = (Item(), Item())
            (kept, refused) = (first, second)
            #expect(holder?.set(first) == true)
            #expect(holder?.set(second) == false)
        }
        setTwice()
        #expect(kept != nil && refused == nil)
        holder = nil
        #expect(kept == nil)
    }

    @Test func `of many tasks that set it one does`() async {
        for _ in 0..<100 {
            let holder = Holder()
            let set = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 { group.addTask { holder.set(Item()) } }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(set == 1)
            #expect(holder.item != nil)
        }
    }
}
