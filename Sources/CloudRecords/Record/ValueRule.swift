import Foundation

/// The rules that values keep, whether they stand in a field or in a predicate.
package enum ValueRule {
    /// What is wrong with a value, and what to do about it.
    package struct Violation: Sendable, Hashable {
        /// What is wrong, as the end of a sentence that starts with the place where the value stands.
        package let reason: String
        package let remedy: String
    }

    /// What is wrong with a value, or nil if nothing is.
    /// - Complexity: O(1) for numbers, O(*n*) in the bytes of text and in the elements of a list. It does not allocate.
    package static func violation(of value: CloudValue) -> Violation? {
        switch value {
        case .int64, .bytes, .asset: nil
        case .string(let text): hasNUL(text) ? textViolation : nil
        case .double(let number): number.isFinite ? nil : numberViolation("a number")
        case .date(let date): date.timeIntervalSinceReferenceDate.isFinite ? nil : numberViolation("a date")
        case .location(let location): violation(of: location)
        case .reference(let reference): violation(of: reference)
        case .list(let elements): violation(ofElements: elements)
        }
    }

    /// The bytes that a value counts towards the size of its record, see ``RecordValidator``.
    /// - Complexity: O(1), but O(*n*) in the elements of a list.
    package static func size(of value: CloudValue) -> Int {
        switch value {
        case .string(let text): text.utf8.count
        case .int64, .double, .date: 8
        case .bytes(let data): data.count
        case .location: 64
        case .reference(let reference): size(of: reference.recordID)
        case .asset: 0
        case .list(let elements): elements.reduce(0) { $0 + size(of: $1) }
        }
    }

    /// Whether a value may go into a field of a type. Unlike a comparison of types it does not allocate for lists.
    package static func matches(_ value: CloudValue, _ type: CloudFieldType) -> Bool {
        switch (value, type) {
        case (.string, .string), (.int64, .int64), (.double, .double), (.date, .date), (.bytes, .bytes),
            (.location, .location), (.reference, .reference), (.asset, .asset):
            true
        case (.list, .list(of: nil)):
            true
        case (.list(let elements), .list(of: let element?)):
            // Elements of mixed kinds are refused elsewhere.
            elements.first.map { matches($0, element) } ?? true
        default:
            false
        }
    }

    private static func size(of recordID: CloudRecordID) -> Int {
        let name = recordID.recordName.utf8.count
        guard !recordID.zoneID.isDefault else { return name }
        return name + recordID.zoneID.zoneName.utf8.count + recordID.zoneID.ownerName.utf8.count
    }

    private static func violation(of location: CloudLocation) -> Violation? {
        let isFinite =
            location.latitude.isFinite && location.longitude.isFinite && location.altitude.isFinite
            && location.horizontalAccuracy.isFinite && location.verticalAccuracy.isFinite
            && location.course.isFinite && location.speed.isFinite
            && (location.timestamp?.timeIntervalSinceReferenceDate.isFinite ?? true)
        guard isFinite else { return numberViolation("a location") }
        guard (-90...90).contains(location.latitude), (-180...180).contains(location.longitude) else {
            return Violation(
                reason: "is a location outside the globe, \(location.latitude), \(location.longitude)",
                remedy: "Keep latitudes within -90 and 90 and longitudes within -180 and 180 degrees."
            )
        }
        return nil
    }

    private static func violation(of reference: CloudReference) -> Violation? {
        let recordID = reference.recordID
        // A reference may point at a user's record, whose name starts with an underscore.
        if let violation = NameRule.violation(ofRecordName: recordID.recordName, allowsUnderscore: true) {
            return Violation(
                reason: "refers to a record whose name \(NameRule.quoted(recordID.recordName)) \(violation.reason)",
                remedy: violation.remedy
            )
        }
        guard !recordID.zoneID.isDefault else { return nil }
        for name in [recordID.zoneID.zoneName, recordID.zoneID.ownerName] {
            if let violation = NameRule.violation(ofRecordName: name, allowsUnderscore: true) {
                return Violation(
                    reason: "refers to a record in a zone whose name or owner \(NameRule.quoted(name)) "
                        + violation.reason,
                    remedy: violation.remedy
                )
            }
        }
        return nil
    }

    private static func violation(ofElements elements: [CloudValue]) -> Violation? {
        guard let first = elements.first else { return nil }
        for element in elements {
            if case .list = element {
                return Violation(
                    reason: "is a list of lists",
                    remedy: "Use a flat list, or a Codable value, which is kept as JSON text."
                )
            }
            guard isSameKind(first, element) else {
                return Violation(
                    reason: "is a list that mixes \(first.fieldType) and \(element.fieldType)",
                    remedy: "Keep elements of one type in a list."
                )
            }
            if let violation = violation(of: element) { return violation }
        }
        return nil
    }

    private static func isSameKind(_ left: CloudValue, _ right: CloudValue) -> Bool {
        switch (left, right) {
        case (.string, .string), (.int64, .int64), (.double, .double), (.date, .date), (.bytes, .bytes),
            (.location, .location), (.reference, .reference), (.asset, .asset):
            true
        default:
            false
        }
    }

    private static func hasNUL(_ text: String) -> Bool {
        let found = text.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
        }
        return found ?? text.utf8.contains(0)
    }

    private static var textViolation: Violation {
        Violation(
            reason: "has a NUL character in its text",
            remedy: "Remove the character, or keep the content as Data."
        )
    }

    private static func numberViolation(_ kind: String) -> Violation {
        Violation(
            reason: "is \(kind) that is infinite or not a number",
            remedy: "Use a finite number, or nil for \"none\"."
        )
    }
}
