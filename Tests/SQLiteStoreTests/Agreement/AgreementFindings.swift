import CloudRecords
import Foundation
import SQLiteStore
import Testing

/// What ``PredicateAgreement`` found, each once more under its name.
@Suite struct AgreementFindings {
    private static func store(_ records: [CloudRecord]) async throws -> SQLiteStore {
        let store = try SQLiteStore.inMemory()
        for outcome in try await store.modify(CloudModification(saving: records)).saved { _ = try outcome.get() }
        return store
    }

    @Test(arguments: ["value", "key", "type", "atom", "id", "parents", "fullkey", "path", "json", "root"])
    func `a list in a field that is called like a column of json_each is searched`(field: String) async throws {
        let store = try await Self.store([
            item("a", [field: .list([.int64(1), .int64(2)])]), item("b", [field: .list([])]), item("c", [field: nil]),
        ])
        #expect(try await store.matches(.contains(field: field, .int64(2))) == ["a"])
        let isSmall = CloudPredicate.Node.compare(field: field, .less, .int64(2))
        #expect(try await store.matches(.quantified(.any, field: field, isSmall)) == ["a"])
        #expect(try await store.matches(.quantified(.all, field: field, isSmall)) == ["b", "c"])
        #expect(try await store.matches(.quantified(.none, field: field, .everything)) == ["b", "c"])
    }

    @Test func `a list of references to records whose names look like the mark of an action equals itself`()
        async throws
    {
        func list(_ names: String..., action: CloudReference.Action = .none) -> CloudValue {
            .list(names.map { .reference(CloudReference(recordID: CloudRecordID($0), action: action)) })
        }
        let names = ["\\u001edeleteSelf", "a\\", "\\u005c", "\\"]
        let store = try await Self.store(
            names.enumerated().map { index, name in
                item("\(index)", ["r": list(name, "b", action: index % 2 == 0 ? .none : .deleteSelf)])
            }
        )
        for (index, name) in names.enumerated() {
            for action in [CloudReference.Action.none, .deleteSelf] {
                let value = list(name, "b", action: action)
                #expect(try await store.matches(.compare(field: "r", .equal, value)) == ["\(index)"])
                #expect(try await store.matches(.oneOf(field: "r", [value])) == ["\(index)"])
                #expect(try await store.matches(.compare(field: "r", .notEqual, value)).count == 3)
            }
        }
    }
}
