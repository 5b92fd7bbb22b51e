import CloudRecords

extension PredicateTranslator {
    /// Closer than so many metres: a box, which an index finds, and within it the exact distance.
    mutating func near(_ name: String, _ place: CloudLocation, _ metres: Double) throws -> String {
        try capabilities.require(.distanceQueries)
        // Also for what is not a number.
        guard metres > 0, case .value(let operand) = subject(name), operand.type == .location else {
            return Self.never
        }
        guard !operand.isElement, let field = recordType.field(name) else {
            let distance = dialect.distance(ofElement: operand.sql, from: bindPlace(place))
            return "\(try require(distance, "distances in lists")) < \(bindComparand(.real(metres)))"
        }
        var terms = box(field, around: place, metres)
        terms.append("\(try distance(of: field, from: place)) < \(bindComparand(.real(metres)))")
        return terms.joined(separator: " AND ")
    }

    /// The part of ``near(_:_:_:)`` that an index finds.
    mutating func box(_ field: SQLField, around place: CloudLocation, _ metres: Double) -> [String] {
        guard let box = BoundingBox(around: place, metres: metres) else { return [] }
        let latitude = column(field.latitude)
        let longitude = column(field.longitude)
        var terms = [
            "\(latitude) >= \(bindComparand(.real(box.latitudes.lowerBound)))",
            "\(latitude) <= \(bindComparand(.real(box.latitudes.upperBound)))",
        ]
        if let (west, east) = box.longitudes {
            let isEastOfWest = "\(longitude) >= \(bindComparand(.real(west)))"
            let isWestOfEast = "\(longitude) <= \(bindComparand(.real(east)))"
            terms.append("(\(isEastOfWest) \(west <= east ? "AND" : "OR") \(isWestOfEast))")
        }
        return terms
    }

    /// The distance in metres; null where there is no location.
    mutating func distance(of field: SQLField, from place: CloudLocation) throws -> String {
        let distance = dialect.distance(
            latitude: dialect.quoted(field.latitude),
            longitude: dialect.quoted(field.longitude),
            from: bindPlace(place)
        )
        return try require(distance, "distances")
    }

    private mutating func bindPlace(_ place: CloudLocation) -> (latitude: String, longitude: String) {
        // An engine would take a number that is none for null; the distance from infinity is the same as from there.
        func number(_ degrees: Double) -> SQLValue { .real(degrees.isNaN ? .infinity : degrees) }
        return (bindComparand(number(place.latitude)), bindComparand(number(place.longitude)))
    }
}
