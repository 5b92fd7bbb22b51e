/// The lines of the design's section 4 that don't compile yet, each with what it needs. Whoever builds one moves it
/// to AsWritten.
///
/// Needs live data (`CloudData`):
///
/// ```swift
/// CloudData.publicDB.connect(Message(), predicate: "from == \(me)", orderBy: .ascending("text"), filterId: "mine",
///     cachingStrategy: .direct, completionHandler: { results, status in results.count < 200 },
///     insertedHandler: { item in }, updatedHandler: { item, index in }, deletedHandler: { recordId, index in },
///     dataChangedHandler: { }, errorHandler: { error in })
/// CloudData.publicDB.data["mine"]
/// ```
///
/// Needs subscriptions: `subscribe`, `unsubscribe`, `unsubscribeAll`, `didReceiveRemoteNotification`,
/// `fetchChangeNotifications`, `setBadgeCounter`.
///
/// Needs backups: `backupData`, `restoreData`, `removeBackup`.
///
/// One line differs from the design's: an empty loop body, `for try await batch in … { }`, is a warning of the compiler
/// ("batch was never used"), so it prints the batch's count.
enum NotYetBuilt {}
