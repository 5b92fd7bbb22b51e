extension CloudError {
    /// The conflict handler of a save threw something.
    static func handlerThrew(_ error: any Error, about client: CloudRecord) -> CloudError {
        CloudError(
            .serverRecordChanged,
            "\(client.recordType) \(client.recordID) was changed by someone else, and the conflict handler threw: \(error)",
            remedy: "Mend what the conflict handler finds wrong, or let it return nil.",
            recordID: client.recordID
        )
    }

    /// The conflict handler returned a record that is not the client's.
    static func wrongRecord(_ record: CloudRecord, mergedFor client: CloudRecord) -> CloudError {
        CloudError(
            .invalidArguments,
            """
            The conflict handler made \(record.recordType) \(record.recordID) of \
            \(client.recordType) \(client.recordID).
            """,
            remedy: "Return a record of the same type and ID: change a copy of the client's or the server's record.",
            recordID: client.recordID
        )
    }
}
