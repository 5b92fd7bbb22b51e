extension LiveQuery {
    /// Takes over what was kept from an earlier run.
    func restore(_ content: CacheContent) {
        var selection = collection.select(content.records)
        var restored: [Object] = []
        restored.reserveCapacity(selection.count)
        var failed: Set<CloudRecordID> = []
        var binding: LayoutBinding?
        for record in selection.records {
            let current = binding.flatMap { $0.layout === record.layout ? $0 : nil } ?? plan.binding(for: record.layout)
            binding = current
            do {
                restored.append(try plan.makeObject(Object.self, from: record, binding: current))
            } catch {
                dao.report(mappingFailure: CloudError(error))
                failed.insert(record.recordID)
            }
        }
        if !failed.isEmpty { selection.keepOnly { !failed.contains($0) } }
        collection.restore(selection, isComplete: content.isComplete && failed.isEmpty)
        objects = ChunkedArray(restored)
    }

    /// Shows what was kept from an earlier run, step by step, and reads everything anew.
    ///
    /// - Returns: False if it can't now, since everything is being read.
    func replace(by content: CacheContent) -> Bool {
        guard collection.load == nil, !isApplying else { return false }
        collection.beginLoad()
        let answer = collection.add(page: mappable(Array(collection.select(content.records).records)))
        apply(answer.events)
        apply(collection.endLoad(reachedEnd: content.isComplete))
        readAgain(answer.stale)
        work.needsLoad = true
        signal.yield()
        return true
    }

    /// The objects up to the last one that the load under way has read.
    var itemsReadSoFar: [Object] {
        guard let last = collection.load?.last, let index = collection.index(of: last.recordID) else {
            return Array(objects)
        }
        return Array(objects.prefix(index + 1))
    }

    /// The records that can be mapped; the others are reported.
    func mappable(_ records: [CloudRecord]) -> [CloudRecord] {
        records.filter { record in
            do {
                let binding = plan.binding(for: record.layout)
                prepared[record.recordID] = try plan.makeObject(Object.self, from: record, binding: binding)
                return true
            } catch {
                dao.report(mappingFailure: CloudError(error))
                return false
            }
        }
    }

    /// Does steps, and tells everybody of them, one by one.
    func apply(_ events: [LiveEvent], isOfLoad: Bool = false) {
        for event in events { steps.append((event, isOfLoad)) }
        defer { if !isApplying { prepared.removeAll() } }
        guard !isApplying, !steps.isEmpty else { return }
        isApplying = true
        registrar.willSet(self, keyPath: \.items)
        var position = 0
        while position < steps.count {
            let (event, isOfLoad) = steps[position]
            position += 1
            guard let change = apply(event) else { continue }
            tell(change)
            hooks.changed(change, isOfLoad)
        }
        steps.removeAll()
        isApplying = false
        registrar.didSet(self, keyPath: \.items)
        tellSnapshot()
    }

    private func apply(_ event: LiveEvent) -> LiveChange<Object>? {
        switch event {
        case .inserted(let record, let index):
            let object = prepared[record.recordID] ?? object(of: record)
            objects.insert(object, at: index)
            return .inserted(object, at: index)
        case .updated(let record, let index):
            let object = renewed(objects[index], as: record)
            objects[index] = object
            return .updated(object, at: index)
        case .moved(let record, let from, let to):
            let object = renewed(objects.remove(at: from), as: record)
            objects.insert(object, at: to)
            return .moved(object, from: from, to: to)
        case .deleted(let recordID, let index):
            objects.remove(at: index)
            return .deleted(recordID, at: index)
        case .refreshed(let record, let former, let index):
            // What the app has assigned since stays.
            do {
                try objects[index].adoptSaved(record, sentAs: former)
            } catch {
                dao.report(mappingFailure: CloudError(error))
            }
            return nil
        }
    }

    /// The object with the values of a newer record; another one if that would go unnoticed.
    private func renewed(_ object: Object, as record: CloudRecord) -> Object {
        if plan.isObservable { return prepared[record.recordID] ?? self.object(of: record) }
        do {
            try object.refill(from: record)
        } catch {
            dao.report(mappingFailure: CloudError(error))
        }
        return object
    }

    private func object(of record: CloudRecord) -> Object {
        do {
            return try plan.makeObject(Object.self, from: record, binding: plan.binding(for: record.layout))
        } catch {
            // Only a record that another class is writing gets here; what the store makes of it is checked again.
            dao.report(mappingFailure: CloudError(error))
            let object = Object()
            object.recordID = record.recordID
            return object
        }
    }
}
