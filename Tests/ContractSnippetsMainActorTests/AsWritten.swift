// swift-format-ignore-file
// The code blocks of the design's section 4 as they stand there, so not laid out by the formatter. This module's
// default isolation is the main actor, as in a new project of Xcode: nothing here needs an annotation for that.
import CloudKitDao
import Foundation
import Observation

final class Message: CloudDataObject {          // no init, no mapping, no registration
    enum Kind: String { case text, picture, location }
    var from = ""
    var to: CloudReference?
    var text = ""
    var kind = Kind.text
    var likes: Int?
    var tags: [String] = []
    var picture: CloudAsset?
    var place: CloudLocation?
}

/// A class whose enums and Codable values have conformances that are isolated to the main actor.
final class Sighting: CloudDataObject {
    enum Certainty: Int, CaseIterable { case guess = 1, sure = 10 }
    enum Colour: String { case brown, grey }
    enum Weather: String, CloudFallback {
        case sun, rain, unknown
        static var fallback: Weather { .unknown }
    }
    struct Size: Codable, Equatable {
        var length = 0.0
        var weight: Double?
    }
    struct Page: Codable, Hashable { var number = 0 }

    var species = ""
    var certainty = Certainty.guess
    var colour: Colour?
    var colours: [Colour] = []
    var certainties: Set<Certainty> = []
    var weather = Weather.sun
    var size = Size()
    var otherSize: Size?
    var pages: [Page] = []
    var notes: [String: Size] = [:]
    var nest = Nest()
    var formerNest: Nest?
    @Trimmed var observer = ""
}

final class Nest: CloudEmbeddedObject {
    enum Tree: String { case oak, beech }
    var tree = Tree.oak
    var height: Int?
}

@propertyWrapper struct Trimmed: CloudPropertyWrapper {
    private var value = ""
    init(wrappedValue: String) { self.wrappedValue = wrappedValue }
    var wrappedValue: String {
        get { value }
        set { value = newValue.trimmingCharacters(in: .whitespaces) }
    }
}

@Observable
final class Errand: CloudDataObject {
    enum State: String { case open, done }
    struct Estimate: Codable, Equatable { var hours = 0 }
    var title = ""
    var state = State.open
    var estimate: Estimate?
    var subtasks: [String] = []
}

enum AsWritten {
    static func databases() throws -> [CloudDao] {
        let dao = CloudDao.publicDB                     // also privateDB, sharedDB, publicDBForContainer("iCloud.x"), privateDBForContainer(_:)
        return [
            dao, CloudDao.privateDB, CloudDao.sharedDB, CloudDao.publicDBForContainer("iCloud.x"),
            CloudDao.privateDBForContainer("iCloud.x"), CloudDao(store: try SQLiteStore.inMemory()),
        ]
    }

    /// Compiled but not run: it would leave a file in the working directory.
    static func databaseInAFile() throws -> CloudDao {
        let mine = CloudDao(store: try SQLiteStore(path: "chat.sqlite"))   // and .inMemory()
        return mine
    }

    /// Compiled but not run: all tests share the default container.
    static func containers(_ url: URL, _ store: any CloudStore) {
        CloudContainer.configure(.default, storage: .embedded(directory: url))     // or .inMemory, .custom { scope in store }
        CloudContainer.configure(.default, storage: .inMemory)
        CloudContainer.configure(.default, storage: .custom { scope in store })
    }

    static func withHandlers(_ dao: CloudDao, _ message: Message, me: String, id: String) {
        dao.saveItem(message, completionHandler: { record in print(record.recordID.recordName) },
                     errorHandler: { error in print(error) })
        dao.query(Message(), completionHandler: { results in }, errorHandler: { error in })              // all of it, once
        dao.query(Message(), predicate: "from == \(me)", orderBy: .descending("creationDate"), batchSize: 200,
                  completionHandler: { results, isFinished in results.count < 1000 }, errorHandler: { error in })  // cumulative; true reads on
        dao.query(Message(), tokens: "hello world", completionHandler: { results, isFinished in true }, errorHandler: { _ in })
        dao.query(Message(), referenceRecordName: id, referenceField: "to", completionHandler: { results in }, errorHandler: { error in })
        dao.query(Message(), fieldname: "place", latitude: 52.1, longitude: 4.3, distance: 5_000, completionHandler: { results in true }, errorHandler: { error in })     // metres, nearest first
    }

    /// Compiled but not run: all tests share the default container.
    static func liveData(me: String) -> [CloudDataObject]? {
        CloudData.publicDB.connect(Message(), predicate: "from == \(me)", orderBy: .ascending("text"), filterId: "mine",
            cachingStrategy: .direct, completionHandler: { results, status in results.count < 200 },
            insertedHandler: { item in }, updatedHandler: { item, index in }, deletedHandler: { recordId, index in },
            dataChangedHandler: { }, errorHandler: { error in })
        return CloudData.publicDB.data["mine"]
    }

    static func classification(_ error: any Error) {
        switch CloudDao.handleCloudKitErrorAs(error, retryAttempt: 1) {
        case .success, .recoverableError, .fail: break
        case .retry(let afterSeconds): print(afterSeconds)
        }
    }

    static func withAwait(_ dao: CloudDao, _ message: Message, me: String, id: CloudRecordID) async throws -> ([Message], Message?) {
        try await dao.save(message)                     // updates message's system fields in place
        let all: [Message] = try await dao.query(Message.self, where: \.from == me && \.likes > 3, orderBy: .descending(\.creationDate))
        let one: Message? = try await dao.fetch(Message.self, id)
        for try await batch in dao.batches(of: Message.self, batchSize: 500) { print(batch.count) }   // a collection of Message, a page at a time, constant memory; batch.cursor to resume, batch.failures
        try await dao.delete(message)
        return (all, one)
    }

    static func values(_ user: CloudDataObject, _ url: URL, me: String) throws -> (CloudReference, Data, Double, CloudPredicate) {
        let id = CloudRecordID("name", zone: CloudZoneID("notes"))
        _ = (CloudRecordID("name"), CloudRecordID("name", zone: CloudZoneID("notes")), id.recordName, id.zoneID)
        _ = (CloudReference(to: user), CloudReference(recordID: id, action: .deleteSelf))     // .none is the default action
        let asset = CloudAsset(fileURL: url)
        _ = (CloudAsset(fileURL: url), asset.fileURL, try asset.data())
        let a = CloudLocation(latitude: 52.1, longitude: 4.3)
        let b = CloudLocation(latitude: 52.1, longitude: 4.3)
        _ = (CloudLocation(latitude: 52.1, longitude: 4.3), a.distance(to: b))
        let predicate = try CloudPredicate(format: "from == %@ AND likes > %d", me, 3)
        return (CloudReference(to: user), try asset.data(), a.distance(to: b), predicate)
    }

    static func parts(of error: CloudError) -> [Any?] {
        [error.code, error.message, error.retryAfter, error.partialErrors, error.clientRecord, error.serverRecord, error.ancestorRecord]
    }

    static func parts(of object: CloudDataObject) -> [Any?] {
        [object.recordID, object.recordType, object.creationDate, object.modificationDate, object.creatorUserRecordID,
         object.lastModifiedUserRecordID, object.recordChangeTag, object.description]
    }
}
