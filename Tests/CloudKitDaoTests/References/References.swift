import CloudKitDao
import Testing

/// From a reference to its object.
@Suite struct References {
    final class Person: CloudDataObject {
        var name = ""
        var friend = CloudReference(recordID: CloudRecordID("nobody"))

        convenience init(_ recordName: String, _ name: String) {
            self.init()
            recordID = CloudRecordID(recordName)
            self.name = name
        }
    }

    final class Route: CloudDataObject {
        var stops: [CloudReference] = []
    }

    private let store: PickyStore
    private let dao: CloudDao

    init() throws {
        store = PickyStore(try SQLiteStore.inMemory())
        dao = CloudDao(store: store)
    }

    private func savePeople(_ names: String...) async throws {
        try await dao.save(names.map { Person($0, $0.uppercased()) })
    }

    private func reference(_ name: String) -> CloudReference {
        CloudReference(recordID: CloudRecordID(name))
    }

    @Test func `a reference resolves to its object, nil and a dangling one to nil`() async throws {
        try await savePeople("ann")
        let message = Message("m1")
        #expect(try await dao.fetch(message.to, as: Person.self) == nil)
        message.to = reference("ann")
        #expect(try await dao.fetch(message.to, as: Person.self)?.name == "ANN")
        message.to = reference("gone")
        #expect(try await dao.fetch(message.to, as: Person.self) == nil)
    }

    @Test func `a record of another type is an error that names both`() async throws {
        try await savePeople("ann")
        let error = await #expect(throws: CloudError.self) {
            try await dao.fetch(reference("ann"), as: Message.self)
        }
        #expect(error?.code == .mappingFailed)
        #expect(error?.recordID == CloudRecordID("ann"))
        #expect(error?.message.contains("Person") == true && error?.message.contains("Message") == true)
    }

    @Test func `the references of a whole result are resolved in one fetch, in their places`() async throws {
        try await savePeople("ann", "bob")
        let messages = Message.numbered(1...5)
        messages[0].to = reference("bob")
        messages[1].to = reference("ann")
        messages[2].to = reference("gone")
        messages[4].to = reference("bob")
        for receivers in [
            try await dao.fetch(messages.map(\.to), as: Person.self),
            try await dao.fetch(\.to, of: messages, as: Person.self),
        ] {
            #expect(receivers.map { $0?.name } == ["BOB", "ANN", nil, nil, "BOB"])
            #expect(receivers[0] === receivers[4])
        }
        #expect(store.fetches.count == 2)
        #expect(store.fetches[0].map(\.recordName) == ["bob", "ann", "gone"])
    }

    @Test func `a property that always has a reference is resolved too`() async throws {
        try await savePeople("ann", "bob")
        let (ann, carl) = (Person("ann", ""), Person("carl", ""))
        ann.friend = reference("bob")
        let people = [ann, carl]
        let friends = try await dao.fetch(\.friend, of: people, as: Person.self)
        #expect(friends.map { $0?.name } == ["BOB", nil])
    }

    @Test func `a list of references keeps its order and repeats`() async throws {
        try await savePeople("s1", "s2", "s3")
        let route = Route()
        route.stops = ["s3", "s1", "s2", "s1"].map(reference)
        try await dao.save(route)
        let stored = try #require(try await dao.fetch(Route.self, route.recordID))
        let stops = try await dao.fetch(stored.stops, as: Person.self)
        #expect(stops.map { $0?.name } == ["S3", "S1", "S2", "S1"])
        #expect(stops[1] === stops[3])
    }

    @Test func `the lists of several objects are resolved in one fetch`() async throws {
        try await savePeople("s1", "s2", "s3")
        let routes = [["s3", "s1"], [], ["gone", "s1", "s2"]].map { names in
            let route = Route()
            route.stops = names.map(reference)
            return route
        }
        let stops = try await dao.fetch(\.stops, of: routes, as: Person.self)
        #expect(stops.map { $0.map { $0?.name } } == [["S3", "S1"], [], [nil, "S1", "S2"]])
        #expect(store.fetches.count == 1)
    }

    @Test func `no references at all don't reach the store`() async throws {
        #expect(try await dao.fetch([], as: Person.self).isEmpty)
        #expect(try await dao.fetch([nil, nil], as: Person.self).count == 2)
        #expect(store.fetches.isEmpty)
    }

    @Test func `several records of another type are one partial failure`() async throws {
        try await savePeople("ann", "bob")
        try await dao.save(Message("m1"))
        let references = ["ann", "m1", "bob"].map(reference)
        let error = try #require(
            await #expect(throws: CloudError.self) { try await dao.fetch(references, as: Message.self) }
        )
        #expect(error.code == .partialFailure)
        #expect(Set(error.partialErrors.keys.map(\.recordName)) == ["ann", "bob"])
    }

    @Test func `the objects that refer to one are found by their references`() async throws {
        try await savePeople("ann")
        let messages = Message.numbered(1...3)
        messages[0].to = reference("ann")
        messages[2].to = CloudReference(recordID: CloudRecordID("ann"), action: .deleteSelf)
        try await dao.save(messages)
        let found = try await dao.query(
            Message.self,
            where: \.to == reference("ann"),
            orderBy: .ascending(\.recordID)
        )
        #expect(found.map(\.recordID.recordName) == ["m001", "m003"])
    }
}
