import CloudKitDao
import Testing

/// Each method of the DAO that has handlers.
enum HandlerRequest: String, CaseIterable, CustomTestStringConvertible {
    case saveItem, saveItems, modifyItems
    case getItem, getItems, getItemsWithErrors
    case deleteItem, deleteItems
    case queryAll, queryBatch, queryBatchOrLast
    case referenceAll, referenceBatch, referenceBatchOrLast
    case tokensAll, tokensBatch, tokensBatchOrLast
    case locationAll, locationBatch, locationBatchOrLast

    /// Those that change what is stored.
    static let writes: [HandlerRequest] = [.saveItem, .saveItems, .modifyItems, .deleteItem, .deleteItems]

    var testDescription: String { rawValue }

    /// Starts the request for the record m1, on behalf of the actor that is given.
    @discardableResult
    func start(
        on dao: CloudDao,
        _ handlers: HandlerReport,
        isolation: isolated (any Actor)? = #isolation
    ) -> CloudOperation {
        switch self {
        case .saveItem:
            dao.saveItem(
                Message("m1"),
                completionHandler: { handlers.completed($0.recordID.recordName) },
                errorHandler: { handlers.failed($0) }
            )
        case .saveItems:
            dao.saveItems(
                [Message("m1")],
                completionHandler: { handlers.completed($0.names) },
                errorHandler: { handlers.failed($0) }
            )
        case .modifyItems:
            dao.modifyItems(
                saving: [Message("m1")],
                deleting: [],
                completionHandler: { result in handlers.completed(result.saved.compactMap { try? $0.get() }.names) },
                errorHandler: { handlers.failed($0) }
            )
        case .getItem:
            dao.getItem(
                "m1",
                completionHandler: { (message: Message) in handlers.completed(message.recordID.recordName) },
                errorHandler: { handlers.failed($0) }
            )
        case .getItems:
            dao.getItems(
                ["m1"],
                completionHandler: { (messages: [Message]) in handlers.completed(messages.names) },
                errorHandler: { handlers.failed($0) }
            )
        case .getItemsWithErrors:
            dao.getItems(
                ["m1"],
                completionHandler: { (messages: [Message], errors) in
                    handlers.completed("\(messages.names) \(errors.count)")
                },
                errorHandler: { handlers.failed($0) }
            )
        case .deleteItem:
            dao.deleteItem(
                "m1",
                completionHandler: { handlers.completed($0.recordName) },
                errorHandler: { handlers.failed($0) }
            )
        case .deleteItems:
            dao.deleteItems(
                [Message("m1")],
                completionHandler: { handlers.completed($0.map(\.recordName).joined(separator: ",")) },
                errorHandler: { handlers.failed($0) }
            )
        default:
            startQuery(on: dao, handlers)
        }
    }

    private func startQuery(
        on dao: CloudDao,
        _ handlers: HandlerReport,
        isolation: isolated (any Actor)? = #isolation
    ) -> CloudOperation {
        let all: ([Message]) -> Void = { handlers.completed($0.names) }
        let batch: ([Message]) -> Bool = {
            handlers.completed($0.names)
            return true
        }
        let batchOrLast: ([Message], Bool) -> Bool = {
            handlers.completed("\($0.names)\($1 ? " and no more" : "")")
            return true
        }
        let failed: (CloudError) -> Void = { handlers.failed($0) }
        return switch self {
        case .queryBatch:
            dao.query(Message(), completionHandler: batch, errorHandler: failed)
        case .queryBatchOrLast:
            dao.query(Message(), completionHandler: batchOrLast, errorHandler: failed)
        case .referenceAll:
            dao.query(
                Message(),
                referenceRecordName: "m0",
                referenceField: "to",
                completionHandler: all,
                errorHandler: failed
            )
        case .referenceBatch:
            dao.query(
                Message(),
                referenceRecordName: "m0",
                referenceField: "to",
                completionHandler: batch,
                errorHandler: failed
            )
        case .referenceBatchOrLast:
            dao.query(
                Message(),
                referenceRecordName: "m0",
                referenceField: "to",
                completionHandler: batchOrLast,
                errorHandler: failed
            )
        case .tokensAll:
            dao.query(Message(), tokens: "hello", completionHandler: all, errorHandler: failed)
        case .tokensBatch:
            dao.query(Message(), tokens: "hello", completionHandler: batch, errorHandler: failed)
        case .tokensBatchOrLast:
            dao.query(Message(), tokens: "hello", completionHandler: batchOrLast, errorHandler: failed)
        case .locationAll:
            dao.query(
                Message(),
                fieldname: "place",
                latitude: 52.1,
                longitude: 4.3,
                distance: 5_000,
                completionHandler: all,
                errorHandler: failed
            )
        case .locationBatch:
            dao.query(
                Message(),
                fieldname: "place",
                latitude: 52.1,
                longitude: 4.3,
                distance: 5_000,
                completionHandler: batch,
                errorHandler: failed
            )
        case .locationBatchOrLast:
            dao.query(
                Message(),
                fieldname: "place",
                latitude: 52.1,
                longitude: 4.3,
                distance: 5_000,
                completionHandler: batchOrLast,
                errorHandler: failed
            )
        default:
            dao.query(Message(), completionHandler: all, errorHandler: failed)
        }
    }

    /// What the completion handler gets when the database holds m1 and nothing else.
    var summary: String {
        switch self {
        case .getItemsWithErrors: "m1 0"
        case .queryBatchOrLast, .referenceBatchOrLast, .tokensBatchOrLast, .locationBatchOrLast: "m1 and no more"
        default: "m1"
        }
    }
}

extension [CloudRecord] {
    fileprivate var names: String { map(\.recordID.recordName).joined(separator: ",") }
}

extension [Message] {
    var names: String { map(\.recordID.recordName).joined(separator: ",") }
}
