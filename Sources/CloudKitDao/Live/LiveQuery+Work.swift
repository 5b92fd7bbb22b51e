/// What a live query has to do, and what runs for it.
struct LiveWork {
    var isConnected = false
    var needsLoad = true
    /// The records to read again.
    var stale: Set<CloudRecordID> = []
    /// The notifications that are read when the stale records are.
    var unread: [String] = []
    /// How many attempts in a row have failed.
    var failedAttempts = 0
    /// Whether the failure was told.
    var isFailureTold = false
    /// Whether the subscription is deleted since the query was stopped.
    var isUnsubscribed = false
    /// Whether to wait for the timer, or for ever.
    var isWaiting = false
    var hasLoaded = false
    var feed: Task<Void, Never>?
    var timer: Task<Void, Never>?
    /// Tells the present feed and timer from former ones.
    var generation = 0
    var refreshers: [CheckedContinuation<Void, any Error>] = []
    /// Those who wait until there is nothing to do, or something fails.
    var settlers: [CheckedContinuation<Void, Never>] = []
    var store: (any CloudStore)?
}

extension LiveQuery {
    /// Begins to read and to follow. Once is enough.
    ///
    /// - Parameter isolation: The actor that the query belongs to, where everything happens: that of the caller.
    public func start(isolation: isolated any Actor = #isolation) {
        guard case .idle = phase else { return }
        phase = .loading
        dao.localWrites.use(subscription: subscription.subscriptionID)
        let inbox = inbox
        listener = dao.localWrites.listen { inbox.post(.write($0)) }
        let (arrivals, signals) = (inbox.arrivals, signals)
        // Neither task holds the query while it waits.
        tasks = [
            Task { [weak self] in
                _ = isolation
                for await _ in arrivals { self?.takeMessages() }
            },
            Task { [weak self] in
                _ = isolation
                for await _ in signals { await self?.workOff() }
            },
        ]
        signal.yield()
    }

    /// Ends the query, which keeps what it holds.
    ///
    /// - Parameter unsubscribe: Whether its subscription is deleted too, if no other live query of this database uses it.
    public func stop(unsubscribe: Bool = true) {
        if case .stopped = phase { return }
        let wasStarted = listener != nil
        if let listener { dao.localWrites.stopListening(listener) }
        listener = nil
        phase = .stopped
        for task in tasks { task.cancel() }
        tasks = []
        work.feed?.cancel()
        work.timer?.cancel()
        inbox.finish()
        signal.finish()
        resumeRefreshers(throwing: .cancelled)
        resumeSettlers()
        finishFeeds()
        if wasStarted { endSubscription(deleting: unsubscribe) }
    }

    /// Gives the subscription up.
    func endSubscription(deleting: Bool) {
        let isLast = dao.localWrites.endUse(ofSubscription: subscription.subscriptionID)
        guard deleting, isLast else { return }
        work.isUnsubscribed = true
        deleteSubscription()
    }

    func deleteSubscription() {
        let (dao, subscriptionID) = (dao, subscription.subscriptionID)
        Task {
            do {
                let store = try await dao.store()
                guard store.capabilities.supported.contains(.subscriptions),
                    // Somebody may have come meanwhile who uses it.
                    !dao.localWrites.isUsed(subscription: subscriptionID)
                else { return }
                try await store.deleteSubscription(withID: subscriptionID)
            } catch {
                CloudLog.log(.warning, "A subscription was not deleted.", error: CloudError(error))
            }
        }
    }

    /// Reads everything anew, and waits until that is done. What changed is told step by step.
    ///
    /// - Throws: The error for which it can't be read now; the query goes on trying if it may pass.
    public func refresh(isolation: isolated (any Actor)? = #isolation) async throws {
        if case .stopped = phase { throw CloudError.cancelled }
        if case .idle = phase { throw CloudError.notStarted }
        try await withCheckedThrowingContinuation(isolation: isolation) { continuation in
            work.refreshers.append(continuation)
            work.needsLoad = true
            work.isWaiting = false
            signal.yield()
        }
    }

    func resumeRefreshers(throwing error: CloudError?) {
        let refreshers = work.refreshers
        work.refreshers = []
        for refresher in refreshers {
            if let error { refresher.resume(throwing: error) } else { refresher.resume() }
        }
    }

    var isStopped: Bool {
        if case .stopped = phase { true } else { false }
    }

    /// Waits until everything is read of which the query has heard so far, or can't be read now.
    public func settled(isolation: isolated (any Actor)? = #isolation) async {
        takeMessages()
        if isStopped || work.isWaiting { return }
        await withCheckedContinuation(isolation: isolation) { continuation in
            work.settlers.append(continuation)
            signal.yield()
        }
    }

    func resumeSettlers() {
        let settlers = work.settlers
        work.settlers = []
        for settler in settlers { settler.resume() }
    }

    /// Reads records again of which something was heard.
    func readAgain(_ recordIDs: [CloudRecordID]) {
        work.stale.formUnion(recordIDs)
        signal.yield()
    }

    // MARK: Messages

    /// Takes what others told.
    func takeMessages() {
        for message in inbox.takeAll() where !isStopped {
            switch message {
            case .write(.began(let number, let saving, let deleting)):
                apply(collection.begin(write: number, saving: saving, deleting: deleting))
            case .write(.ended(let number, let saved, let deleted)):
                end(number, saved, deleted)
            case .notification(let notification):
                take(notification)
            case .feedEnded(let generation, let error):
                guard generation == work.generation, work.isConnected else { continue }
                fail(with: error)
            case .retry(let generation):
                guard generation == work.generation else { continue }
                work.isWaiting = false
                signal.yield()
            }
        }
    }

    private func end(
        _ number: Int,
        _ saved: LocalWrites.Results<CloudRecord>,
        _ deleted: LocalWrites.Results<CloudRecordID>
    ) {
        let answer = collection.end(write: number, saved: saved, deleted: deleted)
        apply(answer.events)
        if !answer.stale.isEmpty {
            work.stale.formUnion(answer.stale)
            signal.yield()
        }
        hooks.stored()
    }

    private func take(_ notification: CloudNotification) {
        guard notification.subscriptionID == subscription.subscriptionID else { return }
        work.unread.append(notification.notificationID)
        let known = collection.confirmedRecord(notification.recordID)
        if let tag = notification.recordChangeTag, tag == known?.recordChangeTag {
            // What it tells is here already.
        } else {
            work.stale.insert(notification.recordID)
        }
        signal.yield()
    }
}

extension CloudError {
    fileprivate static let notStarted = CloudError(
        .invalidArguments,
        "A live query was asked to refresh before it was started.",
        remedy: "Call start() first."
    )
}
