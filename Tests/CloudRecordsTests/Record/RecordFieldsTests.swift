import CloudRecords
import Testing

@Suite struct RecordFieldsTests {
    private let layout = FieldLayout(recordType: "T", names: ["a", "b"])

    /// Three records of a page on one array.
    private func page() -> [RecordFields] {
        let storage = ContiguousArray((0..<6).map { FieldState.value(.int64(Int64($0))) })
        return [0, 2, 4].map { RecordFields(layout: layout, storage: storage, start: $0) }
    }

    private func values(_ fields: RecordFields) -> [FieldState] {
        fields.withValues { Array($0) }
    }

    @Test func `each record of a page sees its own stretch of the array`() {
        let page = page()
        #expect(values(page[0]) == [.value(.int64(0)), .value(.int64(1))])
        #expect(values(page[1]) == [.value(.int64(2)), .value(.int64(3))])
        #expect(values(page[2]) == [.value(.int64(4)), .value(.int64(5))])
        #expect(page[1][1] == .value(.int64(3)))
    }

    @Test(arguments: 0..<3) func `a change of one record of a page leaves its neighbours alone`(changed: Int) {
        let original = page()
        var page = original
        page[changed][1] = .null
        #expect(page[changed][1] == .null)
        #expect(page[changed][0] == original[changed][0])
        for index in 0..<3 where index != changed {
            #expect(values(page[index]) == values(original[index]))
        }
        #expect(values(original[changed]) == values(self.page()[changed]))
    }

    @Test(arguments: 0..<3) func `a field added to one record of a page leaves its neighbours alone`(changed: Int) {
        let original = page()
        var page = original
        page[changed].append("c", type: .string, state: .value(.string("new")))
        #expect(page[changed].count == 3)
        #expect(values(page[changed]).last == .value(.string("new")))
        #expect(Array(values(page[changed]).prefix(2)) == values(original[changed]))
        for index in 0..<3 where index != changed {
            #expect(page[index].layout === layout)
            #expect(values(page[index]) == values(original[index]))
        }
    }

    @Test func `fields without values are all absent`() {
        let fields = RecordFields(layout: layout)
        #expect(values(fields) == [.absent, .absent])
        #expect(values(RecordFields(layout: FieldLayout(recordType: "T", names: []))).isEmpty)
    }
}
