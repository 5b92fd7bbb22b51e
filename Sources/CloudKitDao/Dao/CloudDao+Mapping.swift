extension CloudDao {
    /// Maps a page to objects, and reports those records that can't be mapped.
    ///
    /// - Parameter loaded: The names of the fields that were asked for, if not all were.
    func map<Object: CloudDataObject>(
        _ rows: CloudRows,
        to type: Object.Type,
        by plan: MappingPlan,
        loaded: Set<String>?
    ) -> (objects: [Object], failures: [CloudError]) {
        // The standard library writes the count even of an empty array, all of which share one place in memory.
        guard rows.count > 0 else { return ([], []) }
        var failures: [CloudError] = []
        func note(_ error: any Error) {
            let failure = CloudError(error)
            failures.append(failure)
            report(mappingFailure: failure)
        }
        let objects = [Object](unsafeUninitializedCapacity: rows.count) { buffer, count in
            func add(_ make: () throws -> Object) {
                do {
                    buffer.initializeElement(at: count, to: try make())
                    count += 1
                } catch {
                    note(error)
                }
            }
            switch rows.content {
            case .rows(let rows):
                let binding = plan.rowBinding(for: rows.layout)
                for row in 0..<rows.count {
                    add { try plan.makeObject(type, from: rows, at: row, binding: binding, loaded: loaded) }
                }
            case .records(let records):
                var binding: LayoutBinding?
                for record in records {
                    let current =
                        binding.flatMap { $0.layout === record.layout ? $0 : nil } ?? plan.binding(for: record.layout)
                    binding = current
                    add { try plan.makeObject(type, from: record, binding: current, loaded: loaded) }
                }
            }
        }
        return (objects, failures)
    }

    /// Maps the answer to a fetch to objects, one result for each ID.
    func map<Object: CloudDataObject>(
        _ answer: CloudFetchedRows,
        of recordIDs: ArraySlice<CloudRecordID>,
        to type: Object.Type,
        by plan: MappingPlan
    ) -> [Result<Object, CloudError>] {
        var results: [Result<Object, CloudError>] = []
        results.reserveCapacity(answer.count)
        switch answer.content {
        case .rows(let rows, let positions):
            let bindings = rows.map { plan.rowBinding(for: $0.layout) }
            for (recordID, position) in zip(recordIDs, positions) {
                if position.isMissing {
                    results.append(.failure(.missing(recordID)))
                    continue
                }
                let rows = rows[Int(position.type)]
                do {
                    try checkType(rows.layout, of: recordID, plan)
                    let binding = bindings[Int(position.type)]
                    results.append(
                        .success(try plan.makeObject(type, from: rows, at: Int(position.row), binding: binding))
                    )
                } catch {
                    results.append(.failure(CloudError(error)))
                }
            }
        case .results(let answers):
            for answer in answers {
                do {
                    let record = try answer.get()
                    try checkType(record.layout, of: record.recordID, plan)
                    let binding = plan.binding(for: record.layout)
                    results.append(.success(try plan.makeObject(type, from: record, binding: binding)))
                } catch {
                    results.append(.failure(CloudError(error)))
                }
            }
        }
        return results
    }

    func checkType(_ layout: FieldLayout, of recordID: CloudRecordID, _ plan: MappingPlan) throws {
        guard layout.recordType == plan.layout.recordType else {
            throw CloudError(
                .mappingFailed,
                "Record \(recordID) is a \(layout.recordType), not a \(plan.layout.recordType).",
                remedy: "Fetch it as the class of its record type.",
                recordID: recordID
            )
        }
    }
}
