import Foundation

/// A place on the globe, with the eight values that CloudKit keeps of a location.
public struct CloudLocation: Sendable, Hashable, Codable, CustomStringConvertible {
    /// Degrees north of the equator, -90 to 90.
    public var latitude: Double
    /// Degrees east of Greenwich, -180 to 180.
    public var longitude: Double
    /// Metres above sea level.
    public var altitude: Double
    /// The radius of uncertainty in metres; negative when latitude and longitude are not valid.
    public var horizontalAccuracy: Double
    /// The uncertainty of the altitude in metres; negative when the altitude is not valid.
    public var verticalAccuracy: Double
    /// The direction of travel in degrees clockwise from north; negative when not known.
    public var course: Double
    /// Metres a second; negative when not known.
    public var speed: Double
    /// When the location was determined, if that is known.
    public var timestamp: Date?

    /// Makes a location. The values that are left out mean "not known", as they do in CoreLocation.
    public init(
        latitude: Double,
        longitude: Double,
        altitude: Double = 0,
        horizontalAccuracy: Double = 0,
        verticalAccuracy: Double = -1,
        course: Double = -1,
        speed: Double = -1,
        timestamp: Date? = nil
    ) {
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
        self.horizontalAccuracy = horizontalAccuracy
        self.verticalAccuracy = verticalAccuracy
        self.course = course
        self.speed = speed
        self.timestamp = timestamp
    }

    /// The mean radius of the earth in metres (IUGG).
    static let earthRadius = 6_371_008.8

    /// The great-circle distance to another location in metres; altitude plays no part.
    ///
    /// Computed on a sphere of the earth's mean radius with the haversine formula.
    public func distance(to other: CloudLocation) -> Double {
        let radians = Double.pi / 180
        let latitudes = (latitude * radians, other.latitude * radians)
        let halfLatitude = sin((latitudes.1 - latitudes.0) / 2)
        let halfLongitude = sin((other.longitude - longitude) * radians / 2)
        let haversine =
            halfLatitude * halfLatitude + cos(latitudes.0) * cos(latitudes.1) * halfLongitude * halfLongitude
        return 2 * Self.earthRadius * asin(min(1, haversine.squareRoot()))
    }

    public var description: String {
        "\(latitude), \(longitude)"
    }
}
