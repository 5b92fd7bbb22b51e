import CloudRecords
import Testing

@Suite struct FieldLayoutTests {
    @Test func `a layout finds its names and nothing else`() {
        let layout = FieldLayout(recordType: "Message", names: ["from", "text"], types: [.string])
        #expect(layout.count == 2)
        #expect(layout.index(of: "from") == 0)
        #expect(layout.index(of: "text") == 1)
        #expect(layout.index(of: "Text") == nil)
        #expect(layout.types == [.string, nil])
    }

    @Test func `a name that appears again is left out with its type`() {
        let layout = FieldLayout(
            recordType: "T",
            names: ["a", "b", "a", "c"],
            types: [.string, .int64, .double, .date]
        )
        #expect(layout.names == ["a", "b", "c"])
        #expect(layout.types == [.string, .int64, .date])
        #expect(layout.index(of: "c") == 2)
    }

    @Test func `adding a field leaves the layout as it was`() {
        let layout = FieldLayout(recordType: "T", names: ["a"], types: [.string])
        let longer = layout.adding("b", type: .int64)
        #expect(layout.names == ["a"])
        #expect(longer.names == ["a", "b"])
        #expect(longer.types == [.string, .int64])
        #expect(longer.index(of: "b") == 1)
        #expect(longer.adding("a", type: .date) === longer)
    }

    @Test func `a layout knows the first of its names that breaks the rules`() {
        #expect(FieldLayout(recordType: "T", names: ["a", "b_1"]).nameViolation == nil)
        #expect(FieldLayout(recordType: "T", names: ["a", "b-1", "-"]).nameViolation?.field == "b-1")
        let wrongType = FieldLayout(recordType: "", names: ["a"])
        #expect(wrongType.nameViolation != nil)
        #expect(wrongType.nameViolation?.field == nil)
        #expect(FieldLayout(recordType: "T", names: []).adding("_a", type: nil).nameViolation?.field == "_a")
        #expect(FieldLayout(recordType: "T", names: ["_a"]).adding("b", type: nil).nameViolation?.field == "_a")
    }
}
