import CloudKitDao

/// A place with a name.
struct Place {
    let name: String
    let location: CloudLocation

    init(_ name: String, _ latitude: Double, _ longitude: Double) {
        self.name = name
        location = CloudLocation(latitude: latitude, longitude: longitude)
    }
}

/// Where the users of the samples are.
enum SamplePlaces {
    static let home = Place("Amsterdam", 52.3731, 4.8926)

    static let towns = [
        home, Place("Utrecht", 52.0907, 5.1214), Place("Haarlem", 52.3874, 4.6462), Place("Leiden", 52.1601, 4.4970),
        Place("Delft", 52.0116, 4.3571), Place("Groningen", 53.2194, 6.5665), Place("Maastricht", 50.8514, 5.6910),
    ]

    /// Places of a journey, with their distances from home in kilometres on a sphere.
    static let journey = [
        (place: Place("Paris", 48.8566, 2.3522), kilometres: 430.0),
        (place: Place("Berlin", 52.5200, 13.4050), kilometres: 577.0),
        (place: Place("Rome", 41.9028, 12.4964), kilometres: 1_297.0),
        (place: Place("New York", 40.7128, -74.0060), kilometres: 5_863.0),
        (place: Place("Sydney", -33.8688, 151.2093), kilometres: 16_645.0),
    ]
}
