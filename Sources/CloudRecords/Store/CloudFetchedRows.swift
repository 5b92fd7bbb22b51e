/// The results of a fetch in the form from which objects are filled, see ``CloudRows``.
public struct CloudFetchedRows: Sendable {
    package enum Content: Sendable {
        case results([Result<CloudRecord, CloudError>])
        /// The rows of each record type, and for each ID where its record is.
        case rows([RecordRows], ContiguousArray<Position>)
    }

    /// Where the record of an ID is: among the rows of which type, and which of them.
    package struct Position: Sendable, BitwiseCopyable {
        package let type: Int32
        package let row: Int32

        package init(type: Int, row: Int) {
            self.type = Int32(type)
            self.row = Int32(row)
        }

        /// There is no such record.
        package static var missing: Position { Position(type: -1, row: -1) }

        package var isMissing: Bool { type < 0 }
    }

    package let content: Content

    /// Makes rows of the results of a fetch, one for each ID.
    public init(_ results: [Result<CloudRecord, CloudError>]) {
        content = .results(results)
    }

    package init(_ rows: [RecordRows], at positions: ContiguousArray<Position>) {
        content = .rows(rows, positions)
    }

    /// The number of results.
    public var count: Int {
        switch content {
        case .results(let results): results.count
        case .rows(_, let positions): positions.count
        }
    }

    /// The records that were found, in the order of the IDs.
    package var foundRecords: [CloudRecord] {
        switch content {
        case .results(let results): return results.compactMap { try? $0.get() }
        case .rows(let rows, let positions):
            let records = rows.map { $0.records() }
            return positions.compactMap { $0.isMissing ? nil : records[Int($0.type)][Int($0.row)] }
        }
    }

    /// The results as records.
    ///
    /// - Parameter recordIDs: The IDs that were fetched.
    package func results(of recordIDs: [CloudRecordID]) -> [Result<CloudRecord, CloudError>] {
        switch content {
        case .results(let results): return results
        case .rows(let rows, let positions):
            let records = rows.map { $0.records() }
            return zip(recordIDs, positions).map { recordID, position in
                if position.isMissing { return .failure(.missing(recordID)) }
                return .success(records[Int(position.type)][Int(position.row)])
            }
        }
    }
}

extension CloudError {
    package static func missing(_ recordID: CloudRecordID) -> CloudError {
        CloudError(
            .unknownItem,
            "There is no record \(recordID).",
            remedy: "It may have been deleted; look for it with a query.",
            recordID: recordID
        )
    }
}
