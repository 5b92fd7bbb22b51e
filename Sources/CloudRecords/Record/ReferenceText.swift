/// A record's identity as text: the record name for the default zone, so that a table can be read by people.
///
/// SQL stores keep references so, and therefore references sort by this text, in memory too.
/// For other zones name, zone and owner follow each other with a separator that no name can contain.
package enum ReferenceText {
    private static let separator: Character = "\u{1F}"
    private static let actionMark = "\u{1E}deleteSelf"

    /// The text of an ID.
    package static func encode(_ recordID: CloudRecordID) -> String {
        guard !recordID.zoneID.isDefault else { return recordID.recordName }
        let zone = recordID.zoneID
        return "\(recordID.recordName)\(separator)\(zone.zoneName)\(separator)\(zone.ownerName)"
    }

    /// The texts between which those of the records of a name in other zones than the default one lie.
    package static func zones(ofRecordsNamed name: String) -> (after: String, before: String) {
        ("\(name)\(separator)", "\(name)\u{20}")
    }

    /// The ID of a text. Every text is one: what has no separators is a name in the default zone.
    package static func decode(_ text: String) -> CloudRecordID {
        guard text.utf8.contains(0x1F) else { return CloudRecordID(text) }
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return CloudRecordID(text) }
        return CloudRecordID(String(parts[0]), zone: CloudZoneID(String(parts[1]), ownerName: String(parts[2])))
    }

    /// The text of a reference in a list, which has no column for the action.
    package static func encodeElement(_ reference: CloudReference) -> String {
        encode(reference.recordID) + (reference.action == .deleteSelf ? actionMark : "")
    }

    /// The reference of a text in a list.
    package static func decodeElement(_ text: String) -> CloudReference {
        guard text.hasSuffix(actionMark) else { return CloudReference(recordID: decode(text)) }
        return CloudReference(recordID: decode(String(text.dropLast(actionMark.count))), action: .deleteSelf)
    }
}
