import CloudRecords
import Foundation

/// How the values that SQL has no type for are kept as text: locations and lists.
package enum ValueText {
    /// A location: a JSON array of its eight values, the last one null if there is no timestamp.
    package static func encode(_ location: CloudLocation) -> String {
        json(location).encoded
    }

    /// Reads a location; nil if the text is none.
    package static func location(_ text: String) -> CloudLocation? {
        JSONText(decoding: text).flatMap(location)
    }

    /// A list: a JSON array, so that the engine's JSON functions can look into it.
    ///
    /// Dates are numbers of seconds since 2001, bytes are base64, references, locations and assets as in columns.
    package static func encode(_ list: [CloudValue]) -> String {
        JSONText.array(list.map(json)).encoded
    }

    /// Reads a list of elements of a type; nil if the text is none.
    package static func list(
        _ text: String,
        of elementType: CloudFieldType?,
        assets: any AssetKeeping
    ) -> [CloudValue]? {
        guard case .array(let elements) = JSONText(decoding: text) else { return nil }
        guard let elementType else { return elements.isEmpty ? [] : nil }
        var values: [CloudValue] = []
        values.reserveCapacity(elements.count)
        for element in elements {
            guard let value = value(element, of: elementType, assets: assets) else { return nil }
            values.append(value)
        }
        return values
    }

    static func json(_ value: CloudValue) -> JSONText {
        switch value {
        case .string(let text): .text(text)
        case .int64(let number): .integer(number)
        case .double(let number): .real(number)
        case .date(let date): .real(date.timeIntervalSinceReferenceDate)
        case .bytes(let data): .text(data.base64EncodedString())
        case .location(let location): json(location)
        case .reference(let reference): .text(ReferenceText.encodeElement(reference))
        case .asset(let asset): .text(asset.contentName ?? "")
        case .list(let elements): .array(elements.map(json))
        }
    }

    private static func json(_ location: CloudLocation) -> JSONText {
        .array([
            .real(location.latitude), .real(location.longitude), .real(location.altitude),
            .real(location.horizontalAccuracy), .real(location.verticalAccuracy), .real(location.course),
            .real(location.speed),
            location.timestamp.map { .real($0.timeIntervalSinceReferenceDate) } ?? .null,
        ])
    }

    private static func value(
        _ element: JSONText,
        of type: CloudFieldType,
        assets: any AssetKeeping
    ) -> CloudValue? {
        switch (type, element) {
        case (.string, .text(let text)): .string(text)
        case (.int64, .integer(let number)): .int64(number)
        case (.double, _): number(element).map(CloudValue.double)
        case (.date, _): number(element).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        case (.bytes, .text(let text)): Data(base64Encoded: text).map(CloudValue.bytes)
        case (.location, _): location(element).map(CloudValue.location)
        case (.reference, .text(let text)): .reference(ReferenceText.decodeElement(text))
        case (.asset, .text(let text)): .asset(assets.asset(contentName: text))
        default: nil
        }
    }

    private static func number(_ element: JSONText) -> Double? {
        switch element {
        case .integer(let number): Double(number)
        case .real(let number): number
        default: nil
        }
    }

    private static func location(_ element: JSONText) -> CloudLocation? {
        guard case .array(let elements) = element, elements.count == 8 else { return nil }
        let numbers = elements.prefix(7).compactMap(number)
        guard numbers.count == 7 else { return nil }
        return CloudLocation(
            latitude: numbers[0],
            longitude: numbers[1],
            altitude: numbers[2],
            horizontalAccuracy: numbers[3],
            verticalAccuracy: numbers[4],
            course: numbers[5],
            speed: numbers[6],
            timestamp: number(elements[7]).map { Date(timeIntervalSinceReferenceDate: $0) }
        )
    }
}
