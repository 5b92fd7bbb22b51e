import CloudKitDao
import Foundation
import Testing

/// An object with another one inside.
private final class Parcel: CloudDataObject {
    final class Place: CloudEmbeddedObject {
        var street = ""
        var number: Int?
    }

    var target: Place?
}

/// Queries that load some fields only, or some objects only.
@Suite struct PartialQueries {
    let dao: CloudDao

    init() async throws {
        dao = CloudDao(store: try SQLiteStore.inMemory())
        try await dao.save(Message.numbered(1...25))
    }

    @Test(arguments: [1, 7, 25, 26])
    func `a limit ends the results`(limit: Int) async throws {
        let messages = try await dao.query(Message.self, orderBy: .ascending(\.likes), limit: limit)
        #expect(messages.compactMap(\.likes) == Array(1...min(limit, 25)))
    }

    @Test func `with a limit, handlers hear of the last batch`() async throws {
        let calls = await withCheckedContinuation { (continuation: CheckedContinuation<[[Int]], Never>) in
            var calls: [[Int]] = []
            dao.query(
                Message(),
                orderBy: .ascending("likes"),
                limit: 7,
                batchSize: 3,
                completionHandler: { (messages: [Message], isFinished: Bool) -> Bool in
                    calls.append([messages.count, isFinished ? 1 : 0])
                    if isFinished { continuation.resume(returning: calls) }
                    return true
                },
                errorHandler: { error in Issue.record(error) }
            )
        }
        #expect(calls == [[3, 0], [6, 0], [7, 1]])
    }

    @Test(arguments: [0, -1])
    func `a limit below one is an error`(limit: Int) async {
        let error = await #expect(throws: CloudError.self) { try await dao.query(Message.self, limit: limit) }
        #expect(error?.code == .invalidArguments)
    }

    @Test func `a key path form with handlers finds the same as the asynchronous one`() async throws {
        let names = await withCheckedContinuation { (continuation: CheckedContinuation<[String], Never>) in
            dao.query(
                Message(),
                where: \.likes > 20,
                orderBy: .descending(\.likes),
                completionHandler: { (messages: [Message]) in
                    continuation.resume(returning: messages.map(\.recordID.recordName))
                },
                errorHandler: { error in Issue.record(error) }
            )
        }
        #expect(names == ["m025", "m024", "m023", "m022", "m021"])
    }

    @Test func `only the desired fields are loaded, and saving leaves the others alone`() async throws {
        let full = Message("full", from: "Ann", text: "Hello", likes: 3)
        try await dao.save(full)
        let found = try await dao.query(
            Message.self,
            where: \.from == "Ann",
            desiredKeys: ["text"]
        )
        let partial = try #require(found.first)
        #expect(partial.text == "Hello")
        #expect(partial.from == "")
        #expect(partial.likes == nil)
        partial.text = "Bye"
        try await dao.save(partial)
        let stored = try #require(try await dao.fetch(Message.self, "full"))
        #expect(stored.text == "Bye")
        #expect(stored.from == "Ann")
        #expect(stored.likes == 3)
        // A property that was not loaded but changed is saved.
        partial.from = "Eve"
        try await dao.save(partial)
        #expect(try await dao.fetch(Message.self, "full")?.from == "Eve")
        #expect(try await dao.fetch(Message.self, "full")?.likes == 3)
        // What the object saved itself it knows from then on, and can change back.
        partial.from = ""
        try await dao.save(partial)
        #expect(try await dao.fetch(Message.self, "full")?.from == "")
    }

    @Test func `a copy of an object of which some fields were loaded leaves the others alone too`() async throws {
        try await dao.save(Message("full", from: "Ann", text: "Hello", likes: 3))
        func partial() async throws -> Message {
            let found = try await dao.query(Message.self, where: \.from == "Ann", desiredKeys: ["text"])
            return try #require(found.first)
        }
        let copies: [(Message) throws -> Message] = [
            { try Message(record: try $0.toRecord()) },
            { try Message(json: try $0.toJSON()) },
            { try #require(try [Message](json: try [$0].toJSON()).first) },
        ]
        for (number, makeCopy) in copies.enumerated() {
            let copy = try makeCopy(try await partial())
            copy.text = "by copy \(number)"
            copy.score = 1.5
            try await dao.save(copy)
            let stored = try #require(try await dao.fetch(Message.self, "full"))
            #expect(stored.text == "by copy \(number)" && stored.score == 1.5)
            #expect(stored.from == "Ann" && stored.likes == 3)
        }
    }

    @Test func `a field is cleared by loading it first`() async throws {
        try await dao.save(Message("full", from: "Ann", text: "Hello", likes: 3))
        let found = try await dao.query(Message.self, where: \.from == "Ann", desiredKeys: ["text", "likes"])
        let message = try #require(found.first)
        message.likes = nil
        try await dao.save(message)
        let stored = try #require(try await dao.fetch(Message.self, "full"))
        #expect(stored.likes == nil && stored.from == "Ann")
    }

    @Test func `an object of which some fields were loaded can't be saved again after its deletion`() async throws {
        try await dao.save(Message("full", from: "Ann", text: "Hello", likes: 3))
        let found = try await dao.query(Message.self, where: \.from == "Ann", desiredKeys: ["text"])
        let message = try #require(found.first)
        try await dao.delete(message)
        let error = await #expect(throws: CloudError.self) { try await dao.save(message) }
        #expect(error?.code == .invalidArguments)
        #expect(error?.message.contains("only some fields were loaded") == true)
        #expect(try await dao.fetch(Message.self, "full") == nil)
    }

    @Test func `a field that the store does not have yet is saved with the object`() async throws {
        let old = BriefMessage()
        old.recordID = CloudRecordID("old")
        old.text = "before"
        let dao = CloudDao(store: try SQLiteStore.inMemory())
        try await dao.save(old)
        let message = try #require(try await dao.fetch(Message.self, "old"))
        let copy = try Message(record: try message.toRecord())
        copy.likes = 4
        try await dao.save(copy)
        let stored = try #require(try await dao.fetch(Message.self, "old"))
        #expect(stored.likes == 4 && stored.text == "before")
        #expect(try await dao.query(Message.self, where: \.from == "").count == 1)
    }

    @Test func `an embedded object is looked for by nil`() async throws {
        let bare = Parcel()
        let full = Parcel()
        full.target = Parcel.Place()
        try await dao.save([bare, full])
        let without = try await dao.query(Parcel.self, where: .isNil(\.target))
        let with = try await dao.query(Parcel.self, where: !.isNil(\.target))
        #expect(without == [bare] && with == [full])
    }

    @Test func `an embedded object that was loaded in part and set to nil stays nil`() async throws {
        let parcel = Parcel()
        parcel.target = Parcel.Place()
        parcel.target?.street = "Main"
        parcel.target?.number = 5
        try await dao.save(parcel)
        let found = try await dao.query(Parcel.self, desiredKeys: ["target__street"])
        let partial = try #require(found.first)
        #expect(partial.target?.street == "Main" && partial.target?.number == nil)
        partial.target = nil
        try await dao.save(partial)
        #expect(try #require(try await dao.fetch(Parcel.self, parcel.recordID)).target == nil)
    }

    @Test func `a record's name in the place of its ID is answered with a hint`() async {
        let error = await #expect(throws: CloudError.self) {
            try await dao.query(Message.self, predicate: "recordName == 'm001'")
        }
        #expect(error?.remedy.contains("recordID") == true)
        let type = await #expect(throws: CloudError.self) {
            try await dao.query(Message.self, predicate: "likes == 'x'")
        }
        #expect(type?.message.contains("an INT64") == true)
    }

    @Test func `a distance that is infinite is named as one`() async {
        let place = CloudLocation(latitude: 1, longitude: 2)
        let error = await #expect(throws: CloudError.self) {
            try await dao.query(Message.self, where: .near(\.place, place, within: .infinity))
        }
        #expect(error?.message.contains("distance") == true && error?.field == "place")
    }

    @Test func `nil among several values matches the objects without one, in every spelling`() async throws {
        try await dao.save(Message("none", likes: nil))
        let some: [Int?] = [3, nil]
        let found = [
            try await dao.query(Message.self, predicate: "likes IN \(some)"),
            try await dao.query(Message.self, predicate: try CloudPredicate(format: "likes IN %@", some)),
            try await dao.query(Message.self, where: .isIn(\.likes, some)),
            try await dao.query(Message.self, where: ObjectPredicate(#Predicate { some.contains($0.likes) })),
        ]
        for messages in found { #expect(Set(messages.map(\.recordID.recordName)) == ["m003", "none"]) }
    }

    @Test func `an unknown desired key is an error that names it`() async {
        let error = await #expect(throws: CloudError.self) {
            try await dao.query(Message.self, desiredKeys: ["text", "liekes"])
        }
        #expect(error?.code == .invalidArguments)
        #expect(error?.field == "liekes")
    }

    @Test(arguments: [
        "likes == 'three'", "text > 3", "kind BETWEEN {1, 2}", "likes CONTAINS 1", "tags == 'x'", "place == 1",
        "from BEGINSWITH 'a' AND tags BEGINSWITH 'b'",
    ])
    func `a value or operator that a field does not have is an error that names the field`(format: String) async throws
    {
        let predicate = try CloudPredicate(format: format)
        let error = await #expect(throws: CloudError.self) { try await dao.query(Message.self, predicate: predicate) }
        #expect(error?.code == .invalidArguments)
        #expect(error?.field != nil)
        #expect(error?.remedy.isEmpty == false)
    }
}
