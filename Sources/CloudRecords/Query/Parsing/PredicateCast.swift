import Foundation

/// The types that a format's CAST makes values of which have no spelling of their own.
enum PredicateCast: String, CaseIterable {
    case date = "NSDate"
    case bytes = "BYTES"
    case location = "LOCATION"
    case reference = "REFERENCE"
    case cascadingReference = "REFERENCE_DELETE_SELF"

    /// What stands before the type, as messages name it.
    var expectation: String {
        switch self {
        case .date: "a number of seconds since the start of 2001"
        case .bytes: "bytes as base64 text"
        case .location: "a location as text, 'latitude,longitude'"
        case .reference, .cascadingReference: "a record's name, or {'name', 'zone'} or {'name', 'zone', 'owner'}"
        }
    }

    /// What to do when something else stands there.
    var remedy: String {
        switch self {
        case .date: "Pass a Date for %@ or interpolate it; dates are not written as text."
        case .bytes: "Pass a Data for %@ or interpolate it."
        case .location: "Pass a CloudLocation for %@ or interpolate it."
        case .reference, .cascadingReference: "Pass a CloudReference for %@ or interpolate it."
        }
    }

    /// The value that an operand stands for; nil if it is none of the type.
    func value(of content: PredicateOperand.Content) -> CloudValue? {
        switch (self, content) {
        case (.date, .value(.int64(let seconds))):
            .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
        case (.date, .value(.double(let seconds))):
            .date(Date(timeIntervalSinceReferenceDate: seconds))
        case (.bytes, .value(.string(let text))):
            Data(base64Encoded: text).map(CloudValue.bytes)
        case (.location, .value(.string(let text))):
            CloudLocation(castText: text).map(CloudValue.location)
        case (.reference, _):
            CloudRecordID(cast: content).map { .reference(CloudReference(recordID: $0)) }
        case (.cascadingReference, _):
            CloudRecordID(cast: content).map { .reference(CloudReference(recordID: $0, action: .deleteSelf)) }
        default:
            nil
        }
    }

    /// The operand that stands for a value, and its type; nil for a value that CAST does not make.
    static func spelling(of value: CloudValue, quoting quoted: (String) -> String) -> String? {
        let (operand, type): (String, PredicateCast)
        switch value {
        case .date(let date): (operand, type) = (String(date.timeIntervalSinceReferenceDate), .date)
        case .bytes(let data): (operand, type) = (quoted(data.base64EncodedString()), .bytes)
        case .location(let location): (operand, type) = (quoted(location.castText), .location)
        case .reference(let reference):
            operand = reference.recordID.castSpelling(quoting: quoted)
            type = reference.action == .none ? .reference : .cascadingReference
        case .string, .int64, .double, .asset, .list: return nil
        }
        return "CAST(\(operand), '\(type.rawValue)')"
    }
}

extension CloudLocation {
    /// Latitude and longitude to the last bit, and the other values if one of them is known.
    fileprivate var castText: String {
        var numbers = [latitude, longitude]
        if self != CloudLocation(latitude: latitude, longitude: longitude) {
            numbers += [altitude, horizontalAccuracy, verticalAccuracy, course, speed]
        }
        if let timestamp { numbers.append(timestamp.timeIntervalSinceReferenceDate) }
        return numbers.map(\.description).joined(separator: ",")
    }

    fileprivate init?(castText: String) {
        let parts = castText.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Double($0.drop { $0 == " " }) }
        guard numbers.count == parts.count else { return nil }
        switch numbers.count {
        case 2: self.init(latitude: numbers[0], longitude: numbers[1])
        case 7, 8:
            self.init(
                latitude: numbers[0],
                longitude: numbers[1],
                altitude: numbers[2],
                horizontalAccuracy: numbers[3],
                verticalAccuracy: numbers[4],
                course: numbers[5],
                speed: numbers[6],
                timestamp: numbers.count == 8 ? Date(timeIntervalSinceReferenceDate: numbers[7]) : nil
            )
        default: return nil
        }
    }
}

extension CloudRecordID {
    fileprivate func castSpelling(quoting quoted: (String) -> String) -> String {
        guard !zoneID.isDefault else { return quoted(recordName) }
        var names = [recordName, zoneID.zoneName]
        if zoneID.ownerName != CloudZoneID.currentOwnerName { names.append(zoneID.ownerName) }
        return "{\(names.map(quoted).joined(separator: ", "))}"
    }

    fileprivate init?(cast content: PredicateOperand.Content) {
        switch content {
        case .value(.string(let name)):
            self.init(name)
        case .list(let elements):
            let names = elements.compactMap { $0?.stringValue }
            guard names.count == elements.count else { return nil }
            switch names.count {
            case 2: self.init(names[0], zone: CloudZoneID(names[1]))
            case 3: self.init(names[0], zone: CloudZoneID(names[1], ownerName: names[2]))
            default: return nil
            }
        default:
            return nil
        }
    }
}
