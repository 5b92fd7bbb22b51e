/// What went wrong, and what can be done about it.
///
/// Everything that this framework throws or hands to an error handler is a `CloudError`.
/// `CloudDao.handleCloudKitErrorAs(_:retryAttempt:)` sorts errors into those to retry, to recover from and to give up.
///
/// ## Topics
/// ### What happened
/// - ``code``
/// - ``message``
/// - ``remedy``
/// ### Where
/// - ``recordID``
/// - ``field``
/// ### What to do next
/// - ``retryAfter``
/// - ``partialErrors``
/// ### Conflicts
/// - ``clientRecord``
/// - ``serverRecord``
/// - ``ancestorRecord``
public struct CloudError: Error, Sendable {
    /// The kind of failure.
    public let code: Code

    // In a box, so that a result of a record or an error stays small.
    private let details: Details

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: What happened, in one sentence, naming record and field where there are any.
    ///   - remedy: What the developer or user can do about it, in one sentence.
    ///   - recordID: The record that the error is about.
    ///   - field: The field that the error is about.
    ///   - retryAfter: The seconds to wait before trying again.
    ///   - partialErrors: The errors of single records, when only some of a batch failed.
    public init(
        _ code: Code,
        _ message: String,
        remedy: String = "",
        recordID: CloudRecordID? = nil,
        field: String? = nil,
        retryAfter: Double? = nil,
        partialErrors: [CloudRecordID: CloudError] = [:]
    ) {
        self.init(
            code: code,
            details: Details(
                message: message,
                remedy: remedy,
                recordID: recordID,
                field: field,
                retryAfter: retryAfter,
                partialErrors: partialErrors,
                conflict: nil
            )
        )
    }

    private init(code: Code, details: Details) {
        self.code = code
        self.details = details
    }

    /// What happened, in one sentence.
    public var message: String { details.message }

    /// What can be done about it; empty when nothing can.
    public var remedy: String { details.remedy }

    /// The record that the error is about, if it is about one.
    public var recordID: CloudRecordID? { details.recordID }

    /// The field that the error is about, if it is about one.
    public var field: String? { details.field }

    /// The seconds to wait before trying again, if the store said so.
    public var retryAfter: Double? { details.retryAfter }

    /// The errors of single records when ``code`` is ``Code/partialFailure``.
    public var partialErrors: [CloudRecordID: CloudError] { details.partialErrors }

    /// In a conflict, the record that was to be saved.
    public var clientRecord: CloudRecord? { details.conflict?.client }

    /// In a conflict, the record that the store holds. Apply the changes to this one and save it again.
    public var serverRecord: CloudRecord? { details.conflict?.server }

    /// In a conflict, the record as the client had last read it, if it ever did.
    public var ancestorRecord: CloudRecord? { details.conflict?.ancestor }
}

extension CloudError {
    private struct Conflict: Sendable {
        let client: CloudRecord
        let server: CloudRecord
        let ancestor: CloudRecord?
    }

    private final class Details: Sendable {
        let message: String
        let remedy: String
        let recordID: CloudRecordID?
        let field: String?
        let retryAfter: Double?
        let partialErrors: [CloudRecordID: CloudError]
        let conflict: Conflict?

        init(
            message: String,
            remedy: String,
            recordID: CloudRecordID?,
            field: String?,
            retryAfter: Double?,
            partialErrors: [CloudRecordID: CloudError],
            conflict: Conflict?
        ) {
            self.message = message
            self.remedy = remedy
            self.recordID = recordID
            self.field = field
            self.retryAfter = retryAfter
            self.partialErrors = partialErrors
            self.conflict = conflict
        }
    }

    /// The error of a save that met a newer stored record.
    public static func conflict(client: CloudRecord, server: CloudRecord, ancestor: CloudRecord?) -> CloudError {
        let isNew = client.recordChangeTag == nil
        return CloudError(
            code: .serverRecordChanged,
            details: Details(
                message: isNew
                    ? "\(client.recordType) \(client.recordID) exists already and was not overwritten."
                    : "\(client.recordType) \(client.recordID) was changed by someone else since it was read.",
                remedy: "Apply the changes to the error's serverRecord, or fetch the object again, and save that.",
                recordID: client.recordID,
                field: nil,
                retryAfter: nil,
                partialErrors: [:],
                conflict: Conflict(client: client, server: server, ancestor: ancestor)
            )
        )
    }

    /// The same conflict with the record as the client had last read it, which the store can't know.
    package func withAncestor(_ ancestor: CloudRecord?) -> CloudError {
        guard let client = clientRecord, let server = serverRecord else { return self }
        return .conflict(client: client, server: server, ancestor: ancestor)
    }

    /// The error of a record whose atomic batch was not written because of another one.
    package static func rolledBack(_ recordID: CloudRecordID) -> CloudError {
        CloudError(
            .batchRequestFailed,
            "Record \(recordID) was not written, because another one of its atomic batch failed.",
            remedy: "Mend the record that failed and save the batch again.",
            recordID: recordID
        )
    }

    /// The error of a batch of which some records failed.
    public static func partialFailure(_ errors: [CloudRecordID: CloudError]) -> CloudError {
        let first = errors.min { $0.key.recordName < $1.key.recordName }
        return CloudError(
            .partialFailure,
            "\(errors.count) of the records failed\(first.map { "; one of them: \($0.value.message)" } ?? ".")",
            remedy: "Look at the error of each record in partialErrors.",
            partialErrors: errors
        )
    }

    /// The error of something that a store can't do.
    public static func unsupported(_ capability: String, by store: String) -> CloudError {
        CloudError(
            .unsupported,
            "\(store) can't do this: \(capability).",
            remedy: "Ask the store's capabilities first, or use another store."
        )
    }
}

extension CloudError: CustomStringConvertible {
    /// The code's name and number, the message and the remedy.
    public var description: String {
        let advice = remedy.isEmpty ? "" : " \(remedy)"
        return "\(code) (\(code.rawValue)): \(message)\(advice)"
    }
}

extension CloudError {
    /// Any error as a `CloudError`: one that is none becomes ``Code/internalError``, a cancellation
    /// ``Code/operationCancelled``.
    public init(_ error: any Error) {
        switch error {
        case let error as CloudError:
            self = error
        case is CancellationError:
            self = .cancelled
        default:
            self.init(.internalError, "An error of another library: \(error)")
        }
    }

    /// The error of an operation that was cancelled.
    public static let cancelled = CloudError(.operationCancelled, "The operation was cancelled.")
}
