// swift-format-ignore-file
// The code blocks of the design's section 4 as they stand there, so not laid out by the formatter.
import CloudKitDao
import Foundation

/// The same blocks on the main actor.
@MainActor
enum AsWrittenOnMainActor {
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
}
