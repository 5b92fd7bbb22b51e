import CloudKitDao
import CloudKitDaoTestSupport
import Foundation
import Observation
import Synchronization
import Testing

/// What the design promises, in a module whose default isolation is the main actor.
@Suite(.timeLimit(.minutes(30)))
struct ContractSnippets {
    /// A name that nothing else in the process uses.
    private let me = "me-\(UUID().uuidString)"

    /// The public database of the default container, which other tests configure too, always in memory.
    private var publicDB: CloudDao {
        CloudContainer.configure(.default, storage: .inMemory)
        return CloudDao.publicDB
    }

    private func message(likes: Int) -> Message {
        let message = Message()
        message.from = me
        message.likes = likes
        return message
    }

    // MARK: The snippets

    @Test func `the snippets with await save, find, fetch and delete`() async throws {
        let dao = publicDB
        let popular = message(likes: 4)
        let (all, one) = try await AsWritten.withAwait(dao, popular, me: me, id: popular.recordID)
        #expect(all == [popular])
        #expect(one == popular)
        #expect(try await dao.fetch(Message.self, popular.recordID) == nil)
    }

    @Test func `the snippets with handlers reach the store, and the message is saved`() async throws {
        let store = try FaultyStore.inMemory()
        let dao = CloudDao(store: store)
        let message = message(likes: 1)
        AsWritten.withHandlers(dao, message, me: me, id: message.recordID.recordName)
        let requests = try await store.answeredCalls(6)
        #expect(requests.count { $0.operation == .modify } == 1)
        #expect(requests.count { $0.operation == .page } == 5)
        #expect(try await dao.fetch(Message.self, message.recordID)?.from == me)
    }

    @Test func `the other snippets run`() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "ContractSnippets-\(UUID().uuidString)")
        try Data([1, 2, 3]).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let user = message(likes: 0)
        let (reference, data, _, predicate) = try AsWritten.values(user, url, me: me)
        #expect(reference.recordID == user.recordID)
        #expect(data == Data([1, 2, 3]))
        #expect(predicate == "from == \(me) AND likes > \(3)")
        #expect(Set(try AsWritten.databases().map(ObjectIdentifier.init)).count == 6)
        #expect(AsWritten.parts(of: user).count == 8)
    }

    @Test func `handlers may use what belongs to the main actor`() async throws {
        let dao = CloudDao(store: try SQLiteStore.inMemory())
        let screen = Screen()
        await withCheckedContinuation { continuation in
            dao.saveItem(
                message(likes: 1),
                completionHandler: { record in
                    screen.show(record.recordType)
                    continuation.resume()
                },
                errorHandler: { error in
                    screen.show(error.message)
                    continuation.resume()
                }
            )
        }
        await withCheckedContinuation { continuation in
            dao.query(
                Message(),
                predicate: "from == \(me)",
                batchSize: 200,
                completionHandler: { results, isFinished in
                    screen.show("\(results.count)")
                    if isFinished { continuation.resume() }
                    return true
                },
                errorHandler: { error in
                    screen.show(error.message)
                    continuation.resume()
                }
            )
        }
        #expect(screen.lines == ["Message", "1"])
    }

    // MARK: Models whose conformances are isolated

    private func sighting() -> Sighting {
        let sighting = Sighting()
        sighting.species = "owl"
        sighting.certainty = .sure
        sighting.colour = .grey
        sighting.colours = [.grey, .brown, .grey]
        sighting.certainties = [.guess, .sure]
        sighting.weather = .rain
        sighting.size = Sighting.Size(length: 30, weight: 0.5)
        sighting.otherSize = Sighting.Size(length: 31, weight: nil)
        sighting.pages = [Sighting.Page(number: 1), Sighting.Page(number: 2)]
        sighting.notes = ["wing": Sighting.Size(length: 60, weight: nil)]
        sighting.nest.tree = .beech
        sighting.nest.height = 7
        sighting.formerNest = Nest()
        sighting.observer = "  Ann "
        return sighting
    }

    private func check(_ read: Sighting, against sighting: Sighting) {
        #expect(read == sighting)
        #expect(read.certainty == .sure)
        #expect(read.colour == .grey)
        #expect(read.colours == [.grey, .brown, .grey])
        #expect(read.certainties == [.guess, .sure])
        #expect(read.weather == .rain)
        #expect(read.size == sighting.size)
        #expect(read.otherSize == sighting.otherSize)
        #expect(read.pages == sighting.pages)
        #expect(read.notes == sighting.notes)
        #expect(read.nest.tree == .beech)
        #expect(read.nest.height == 7)
        #expect(read.formerNest?.tree == .oak)
        #expect(read.observer == "Ann")
    }

    @Test func `enums, Codable values and embedded objects of the main actor come back equal`() async throws {
        let dao = CloudDao(store: try SQLiteStore.inMemory())
        let sighting = sighting()
        try await dao.save(sighting)
        check(try #require(try await dao.fetch(Sighting.self, sighting.recordID)), against: sighting)
        check(try #require(try await dao.query(Sighting.self).first), against: sighting)
        check(try Sighting(json: try sighting.toJSON()), against: sighting)
    }

    @Test func `enums of the main actor stand in predicates`() async throws {
        let dao = CloudDao(store: try SQLiteStore.inMemory())
        let other = Sighting()
        try await dao.save([sighting(), other])
        #expect(try await dao.query(Sighting.self, where: \.certainty == .sure).map(\.species) == ["owl"])
        #expect(try await dao.query(Sighting.self, where: \.colour == .grey).map(\.species) == ["owl"])
        #expect(try await dao.query(Sighting.self, predicate: "weather == \(Sighting.Weather.rain)").count == 1)
        #expect(try await dao.query(Sighting.self, predicate: "colours CONTAINS \(Sighting.Colour.brown)").count == 1)
        #expect(try await dao.query(Sighting.self, where: \.nest.tree == .oak).map(\.recordID) == [other.recordID])
    }

    @Test func `handlers get objects with values of the main actor`() async throws {
        let dao = CloudDao(store: try SQLiteStore.inMemory())
        let sighting = sighting()
        try await dao.save(sighting)
        var read: Sighting?
        await withCheckedContinuation { continuation in
            dao.getItem(
                sighting.recordID.recordName,
                completionHandler: { (found: Sighting) in
                    read = found
                    continuation.resume()
                },
                errorHandler: { _ in continuation.resume() }
            )
        }
        check(try #require(read), against: sighting)
    }

    // MARK: Observable models

    private func errand() -> Errand {
        let errand = Errand()
        errand.title = "post a letter"
        errand.state = .done
        errand.estimate = Errand.Estimate(hours: 2)
        errand.subtasks = ["stamp", "walk"]
        return errand
    }

    @Test func `an observable object comes back equal, under the names of its properties`() async throws {
        let dao = CloudDao(store: try SQLiteStore.inMemory())
        let errand = errand()
        let record = try errand.toRecord()
        #expect(record.knownFieldNames.sorted() == ["estimate", "state", "subtasks", "title"])
        try await dao.save(errand)
        let read = try #require(try await dao.fetch(Errand.self, errand.recordID))
        #expect(read == errand)
        #expect(read.title == "post a letter")
        #expect(read.state == .done)
        #expect(read.estimate == Errand.Estimate(hours: 2))
        #expect(read.subtasks == ["stamp", "walk"])
        #expect(try Errand(json: try errand.toJSON()) == errand)
        #expect(try await dao.query(Errand.self, where: \.title == "post a letter").count == 1)
    }

    @Test func `an observable object that was fetched is observed as any other`() async throws {
        let dao = CloudDao(store: try SQLiteStore.inMemory())
        try await dao.save(errand())
        let read = try #require(try await dao.query(Errand.self).first)
        await confirmation { changed in
            withObservationTracking {
                _ = read.title
            } onChange: {
                changed()
            }
            read.title = "buy a stamp"
        }
        try await dao.save(read)
        #expect(try await dao.query(Errand.self, predicate: "title == 'buy a stamp'").count == 1)
    }
}

/// Something that only the main actor may touch.
private final class Screen {
    private(set) var lines: [String] = []

    func show(_ line: String) {
        lines.append(line)
    }
}
