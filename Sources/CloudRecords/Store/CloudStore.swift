/// A database of records: the narrow waist between the DAO and whatever keeps the data.
///
/// All members are safe to call from any task, throw only ``CloudError``, and stop early with
/// ``CloudError/Code/operationCancelled`` when their task is cancelled. What a store can't do is missing from its
/// ``capabilities``, and the member throws ``CloudError/Code/unsupported`` with the capability's name.
///
/// A type that conforms has to fetch, modify and page; the rest has default implementations that throw
/// ``CloudError/Code/unsupported``.
///
/// ## Topics
/// ### What it can do
/// - ``capabilities``
/// ### Records
/// - ``fetch(_:desiredFields:)``
/// - ``fetchRows(_:desiredFields:)``
/// - ``modify(_:)``
/// - ``page(_:after:limit:)``
/// - ``rows(_:after:limit:)``
/// ### Changes
/// - ``changes(since:in:limit:)``
/// ### Subscriptions and notifications
/// - ``subscriptions()``
/// - ``save(_:)``
/// - ``deleteSubscription(withID:)``
/// - ``notifications()``
/// - ``notifications(since:limit:)``
/// - ``markNotificationsRead(_:)``
/// - ``badgeCounter()``
/// - ``setBadgeCounter(_:)``
/// ### Zones
/// - ``zones()``
/// - ``saveZone(_:)``
/// - ``deleteZone(_:)``
/// ### Account and schema
/// - ``accountStatus()``
/// - ``currentUserRecordID()``
/// - ``schema()``
/// - ``extendSchema(_:)``
/// - ``deploySchema()``
public protocol CloudStore: Sendable {
    /// What the store can do.
    var capabilities: CloudCapabilities { get }

    /// Fetches records by ID.
    ///
    /// - Parameters:
    ///   - recordIDs: The IDs, in any number and order.
    ///   - desiredFields: The fields to return, nil for all.
    /// - Returns: One result for each ID, in the order of the IDs; ``CloudError/Code/unknownItem`` for those missing.
    /// - Complexity: O(*k* log *n*) for *k* of *n* records.
    func fetch(
        _ recordIDs: [CloudRecordID],
        desiredFields: [String]?
    ) async throws -> [Result<CloudRecord, CloudError>]

    /// Fetches what ``fetch(_:desiredFields:)`` does, for objects to be filled from it.
    ///
    /// The default implementation fetches records. See ``rows(_:after:limit:)``.
    func fetchRows(_ recordIDs: [CloudRecordID], desiredFields: [String]?) async throws -> CloudFetchedRows

    /// Saves and deletes records in one batch.
    ///
    /// Everything is checked before anything is written. A record that is refused or in conflict does not keep the
    /// others of a batch from being saved, unless the batch is atomic.
    ///
    /// - Returns: One result for each record, in the batch's order. The saved records have their new system fields.
    /// - Throws: An error that concerns the batch as a whole; then nothing was written, unless the code is
    ///   ``CloudError/Code/serverResponseLost``.
    func modify(_ modification: CloudModification) async throws -> CloudModificationResult

    /// Returns the next records of a query.
    ///
    /// - Parameters:
    ///   - query: What to look for.
    ///   - cursor: The cursor of the page before, nil for the first page.
    ///   - limit: The most records to return, at least 1.
    /// - Returns: A page. It has a cursor when there is more, even if it is shorter than the limit.
    /// - Throws: ``CloudError/Code/invalidArguments`` for a wrong query or another query's cursor.
    func page(_ query: CloudQuery, after cursor: CloudCursor?, limit: Int) async throws -> CloudPage

    /// Returns what ``page(_:after:limit:)`` does, for objects to be filled from it.
    ///
    /// The default implementation asks for the page. A store that hands its calls on to another one, and changes
    /// nothing about pages, should hand on this one too: it is faster where that store has rows.
    func rows(_ query: CloudQuery, after cursor: CloudCursor?, limit: Int) async throws -> CloudRows

    /// Returns what changed in the database, or in one zone, after a token; from the beginning if it is nil.
    ///
    /// - Throws: ``CloudError/Code/changeTokenExpired`` if the token is too old.
    func changes(since token: CloudChangeToken?, in zoneID: CloudZoneID?, limit: Int) async throws -> CloudChanges

    /// Returns the zones of the database.
    func zones() async throws -> [CloudZoneID]

    /// Makes a zone; one that exists is left as it is.
    func saveZone(_ zoneID: CloudZoneID) async throws

    /// Deletes a zone with all its records.
    func deleteZone(_ zoneID: CloudZoneID) async throws

    /// Returns this client's subscriptions.
    func subscriptions() async throws -> [CloudSubscription]

    /// Saves a subscription of this client; one with the same ID is replaced, the same one again changes nothing.
    ///
    /// - Throws: ``CloudError/Code/invalidArguments`` for a subscription without an ID or to no event, for a predicate
    ///   that is none, and for more than three desired keys.
    func save(_ subscription: CloudSubscription) async throws

    /// Deletes a subscription of this client with what it has reported so far; one that does not exist is not an error.
    func deleteSubscription(withID subscriptionID: String) async throws

    /// Returns the notifications of this client's subscriptions from now on, in the order of the changes.
    ///
    /// Each caller gets all of them. The stream ends with an error when the store is closed, and its end, or the end of
    /// the task that reads it, ends the delivery. A notification that was delivered is still kept for
    /// ``notifications(since:limit:)`` until it is marked as read. To miss nothing and get nothing twice, first ask for
    /// the stream, then fetch what is unread, and leave out of the stream what was in that.
    func notifications() async throws -> AsyncThrowingStream<CloudNotification, any Error>

    /// Returns this client's notifications that are not marked as read, oldest first, also those of earlier runs.
    ///
    /// - Parameters:
    ///   - token: The token of the page before; nil for all that are kept.
    ///   - limit: The most notifications to return, at least 1.
    /// - Throws: ``CloudError/Code/changeTokenExpired`` if notifications after the token were dropped unread, since they
    ///   were too old, or the token is of another client or database. Then refresh what you show and begin with nil.
    func notifications(since token: CloudChangeToken?, limit: Int) async throws -> CloudNotificationPage

    /// Forgets notifications of this client; those that are not there are no error.
    ///
    /// Mark them when what they report has arrived, not before.
    func markNotificationsRead(_ notificationIDs: [String]) async throws

    /// Returns the number on this client's badge, which notifications count up whose subscription says so.
    func badgeCounter() async throws -> Int

    /// Sets the number on this client's badge.
    ///
    /// - Throws: ``CloudError/Code/invalidArguments`` for a negative one.
    func setBadgeCounter(_ count: Int) async throws

    /// Returns whether a user is signed in.
    func accountStatus() async throws -> CloudAccountStatus

    /// Returns the ID of the current user's record.
    func currentUserRecordID() async throws -> CloudRecordID

    /// Returns the record types that the database has, with their fields and indexes.
    func schema() async throws -> CloudSchema

    /// Makes the record types, fields and indexes that the database lacks. Nothing is removed.
    ///
    /// In production too: what is made, or was made in development only, is deployed with it. So the schema of another
    /// database arrives: `try await production.extendSchema(try await development.schema())`.
    ///
    /// - Throws: ``CloudError/Code/invalidArguments`` naming type and field if a field exists with another type; then
    ///   nothing was made.
    func extendSchema(_ schema: CloudSchema) async throws

    /// Copies the schema of the development environment to production. What is there already stays as it is.
    func deploySchema() async throws
}

extension CloudStore {
    public func fetchRows(
        _ recordIDs: [CloudRecordID],
        desiredFields: [String]?
    ) async throws -> CloudFetchedRows {
        CloudFetchedRows(try await fetch(recordIDs, desiredFields: desiredFields))
    }

    public func rows(_ query: CloudQuery, after cursor: CloudCursor?, limit: Int) async throws -> CloudRows {
        CloudRows(try await page(query, after: cursor, limit: limit))
    }

    public func changes(
        since token: CloudChangeToken?,
        in zoneID: CloudZoneID?,
        limit: Int
    ) async throws -> CloudChanges {
        throw capabilities.unsupported(.changeLog)
    }

    public func zones() async throws -> [CloudZoneID] {
        throw capabilities.unsupported(.zones)
    }

    public func saveZone(_ zoneID: CloudZoneID) async throws {
        throw capabilities.unsupported(.zones)
    }

    public func deleteZone(_ zoneID: CloudZoneID) async throws {
        throw capabilities.unsupported(.zones)
    }

    public func subscriptions() async throws -> [CloudSubscription] {
        throw capabilities.unsupported(.subscriptions)
    }

    public func save(_ subscription: CloudSubscription) async throws {
        throw capabilities.unsupported(.subscriptions)
    }

    public func deleteSubscription(withID subscriptionID: String) async throws {
        throw capabilities.unsupported(.subscriptions)
    }

    public func notifications() async throws -> AsyncThrowingStream<CloudNotification, any Error> {
        throw capabilities.unsupported(.notifications)
    }

    public func notifications(since token: CloudChangeToken?, limit: Int) async throws -> CloudNotificationPage {
        throw capabilities.unsupported(.notifications)
    }

    public func markNotificationsRead(_ notificationIDs: [String]) async throws {
        throw capabilities.unsupported(.notifications)
    }

    public func badgeCounter() async throws -> Int {
        throw capabilities.unsupported(.notifications)
    }

    public func setBadgeCounter(_ count: Int) async throws {
        throw capabilities.unsupported(.notifications)
    }

    public func accountStatus() async throws -> CloudAccountStatus {
        .available
    }

    public func schema() async throws -> CloudSchema {
        throw capabilities.unsupported(.schema)
    }

    public func extendSchema(_ schema: CloudSchema) async throws {
        throw capabilities.unsupported(.schema)
    }

    public func deploySchema() async throws {
        throw capabilities.unsupported(.schemaDeployment)
    }
}
