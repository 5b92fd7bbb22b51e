import Foundation

extension LiveQuery {
    /// Does what there is to do, until there is nothing more or something fails.
    func workOff() async {
        while !isStopped, !work.isWaiting {
            do {
                if !work.isConnected {
                    try await connect()
                } else if work.needsLoad || collection.needsRefill {
                    work.needsLoad = false
                    try await load()
                } else if !work.stale.isEmpty {
                    try await readStale()
                } else if !work.unread.isEmpty {
                    try await markRead()
                } else {
                    resumeSettlers()
                    return
                }
            } catch {
                if isStopped { return }
                takeMessages()
                fail(with: CloudError(error))
            }
        }
    }

    private func connect() async throws {
        let store = try await dao.store()
        work.store = store
        work.generation += 1
        if collection.userRecordID == nil { collection.userRecordID = try? await store.currentUserRecordID() }
        if store.capabilities.supported.isSuperset(of: [.subscriptions, .notifications]) {
            try await follow(store)
        }
        work.isConnected = true
        work.needsLoad = true
    }

    /// Subscribes and listens, before anything is read, so that nothing happens in between.
    private func follow(_ store: any CloudStore) async throws {
        let stream: AsyncThrowingStream<CloudNotification, any Error>
        // One that was being saved when the query was stopped must not stay.
        defer { if work.isUnsubscribed { deleteSubscription() } }
        do {
            stream = try await store.wrappingErrors { store in
                try await store.save(self.subscription)
                return try await store.notifications()
            }
        } catch let error as CloudError where CloudDao.handleCloudKitErrorAs(error) == .fail && !isStopped {
            // What there is can be read all the same.
            tell(failure: error)
            return
        }
        let (inbox, generation) = (inbox, work.generation)
        work.feed?.cancel()
        work.feed = Task.detached {
            do {
                for try await notification in stream { inbox.post(.notification(notification)) }
                inbox.post(.feedEnded(generation, CloudError.feedEnded))
            } catch {
                inbox.post(.feedEnded(generation, CloudError(error)))
            }
        }
    }

    /// Reads everything, page by page.
    private func load() async throws {
        guard let store = work.store else { return }
        // A collection that ended before the end ends there again.
        let goal = work.hasLoaded && request.limit == nil ? collection.horizon : nil
        collection.beginLoad()
        var reachedEnd = false
        do {
            var cursor: CloudCursor?
            var count = 0
            let most = collection.readLimit ?? .max
            repeat {
                collection.beginRead()
                let limit = min(request.batchSize, most - count)
                let page = try await store.wrappingErrors { [query] in
                    try await $0.page(query, after: cursor, limit: limit)
                }
                if isStopped { return }
                takeMessages()
                cursor = page.cursor
                count += page.records.count
                reachedEnd = cursor == nil
                let answer = collection.add(page: mappable(page.records))
                work.stale.formUnion(answer.stale)
                apply(answer.events, isOfLoad: !work.hasLoaded)
                if isStopped { return }
                if let goal, let last = page.records.last {
                    if !collection.order.precedes(last, goal) { break }
                } else if !work.hasLoaded, !reachedEnd, count < most, !hooks.pageArrived() {
                    break
                }
                if isStopped { return }
            } while !reachedEnd && count < most
        } catch {
            collection.cancelLoad()
            throw error
        }
        apply(collection.endLoad(reachedEnd: reachedEnd), isOfLoad: !work.hasLoaded)
        if isStopped { return }
        succeed()
        let isFirst = !work.hasLoaded
        work.hasLoaded = true
        phase = .live
        hooks.stored()
        if isFirst { hooks.loaded() }
        if !isStopped { resumeRefreshers(throwing: nil) }
    }

    /// Reads the records of which something was heard.
    private func readStale() async throws {
        guard let store = work.store else { return }
        let recordIDs = Array(work.stale)
        work.stale = []
        collection.beginRead()
        var results: [Result<CloudRecord, CloudError>] = []
        do {
            try await store.fetchInPieces(recordIDs) { results += $0.results(of: Array($1)) }
        } catch {
            work.stale.formUnion(recordIDs)
            throw error
        }
        if isStopped { return }
        takeMessages()
        var fetched: [(recordID: CloudRecordID, record: CloudRecord?)] = []
        var failure: CloudError?
        for (recordID, result) in zip(recordIDs, results) {
            switch result {
            case .success(let record):
                let isOfClass = record.recordType == query.recordType
                fetched.append((recordID, isOfClass ? mappable([record]).first : nil))
            case .failure(let error) where CloudDao.handleCloudKitErrorAs(error) == .fail:
                // It does not exist, or not for this user.
                fetched.append((recordID, nil))
            case .failure(let error):
                work.stale.insert(recordID)
                failure = error
            }
        }
        let answer = collection.take(fetched: fetched)
        work.stale.formUnion(answer.stale)
        apply(answer.events)
        if isStopped { return }
        hooks.stored()
        if let failure { throw failure }
        succeed()
    }

    private func markRead() async throws {
        guard let store = work.store else { return }
        let notificationIDs = work.unread
        work.unread = []
        do {
            try await store.markNotificationsRead(notificationIDs)
        } catch {
            // They are told again at the next start, which reads everything anyway.
            CloudLog.log(.warning, "Notifications were not marked as read.", error: CloudError(error))
        }
    }

    // MARK: Failures

    private func succeed() {
        work.failedAttempts = 0
        work.isFailureTold = false
    }

    private func tell(failure error: CloudError) {
        if work.isFailureTold { return }
        work.isFailureTold = true
        hooks.failed(error)
        CloudLog.log(.warning, "A live query can't reach its store: \(error.message)", error: error)
    }

    func fail(with error: CloudError) {
        work.failedAttempts += 1
        work.isConnected = false
        work.needsLoad = true
        work.isWaiting = true
        work.generation += 1
        work.feed?.cancel()
        work.timer?.cancel()
        let delay: Double? =
            switch CloudDao.handleCloudKitErrorAs(error, retryAttempt: Double(work.failedAttempts)) {
            case .retry(let afterSeconds): afterSeconds
            // What has to be mended first is mended by reading everything anew.
            case .recoverableError, .success: min(pow(2, Double(work.failedAttempts)), 1_800)
            case .fail: nil
            }
        phase = delay == nil ? .failed(error) : .waiting(error)
        if let delay {
            let (inbox, generation, clock) = (inbox, work.generation, clock)
            work.timer = Task.detached {
                do {
                    try await clock.sleep(for: .seconds(delay))
                    inbox.post(.retry(generation))
                } catch {
                    // Cancelled: the query was stopped, or failed again.
                }
            }
        }
        tell(failure: error)
        resumeRefreshers(throwing: error)
        resumeSettlers()
    }
}

extension CloudError {
    fileprivate static let feedEnded = CloudError(
        .serviceUnavailable,
        "The store no longer tells of changes.",
        remedy: "Nothing has to be done: the live query connects again."
    )
}
