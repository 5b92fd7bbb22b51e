/// A comparison of a system field that is a record's identity, with references or with record names.
///
/// A reference is equal when name and zone are; text when it is the record name, in whatever zone. The order of
/// records' identities is that of their names. Users have none.
struct IdentityTest: Sendable {
    enum Kind: Sendable {
        case record, user
    }

    private let test: @Sendable (CloudRecordID?) -> Bool

    func matches(_ recordID: CloudRecordID?) -> Bool { test(recordID) }

    static func compare(
        _ kind: Kind,
        _ comparison: CloudPredicate.Comparison,
        _ value: CloudValue?,
        _ options: TextOptions
    ) -> IdentityTest {
        if comparison.isOrder, kind == .user || value == nil { return IdentityTest { _ in false } }
        switch value {
        case nil:
            return IdentityTest { ($0 == nil) == (comparison == .equal) }
        case .string(let text)?:
            let name = TextFolding.folded(text, options)
            return IdentityTest { recordID in
                guard let recordID else { return comparison == .notEqual }
                return comparison.holds(.between(TextFolding.folded(recordID.recordName, options), name))
            }
        case .reference(let reference)?:
            return IdentityTest { recordID in
                guard let recordID else { return comparison == .notEqual }
                if comparison.isOrder {
                    return comparison.holds(.between(recordID.recordName, reference.recordID.recordName))
                }
                return (recordID == reference.recordID) == (comparison == .equal)
            }
        default:
            return IdentityTest { _ in comparison == .notEqual }
        }
    }

    static func oneOf(_ kind: Kind, _ values: [CloudValue?]) -> IdentityTest {
        var recordIDs: Set<CloudRecordID> = []
        // As IDs in the default zone, which are equal by bytes as strings are not.
        var names: Set<CloudRecordID> = []
        for value in values {
            switch value {
            case .string(let name): names.insert(CloudRecordID(name))
            case .reference(let reference): recordIDs.insert(reference.recordID)
            default: break
            }
        }
        let hasNull = values.contains { $0 == nil }
        return IdentityTest { [recordIDs, names] recordID in
            guard let recordID else { return hasNull }
            return recordIDs.contains(recordID)
                || (!names.isEmpty && names.contains(CloudRecordID(recordID.recordName)))
        }
    }
}
