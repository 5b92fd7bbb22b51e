import CloudRecords
import Foundation

/// Latitudes and longitudes between which everything lies that is closer to a place than some distance.
///
/// It is a little larger than need be, so that no rounding loses a place: the exact distance decides.
struct BoundingBox {
    /// Degrees, within -90 and 90.
    let latitudes: ClosedRange<Double>
    /// Degrees, where the lower bound is larger than the upper one if the date line lies between; nil for all the way
    /// around the globe.
    let longitudes: (west: Double, east: Double)?

    /// In metres, from the distance between equator and pole.
    private static let earthRadius =
        CloudLocation(latitude: 0, longitude: 0).distance(to: CloudLocation(latitude: 90, longitude: 0)) / (.pi / 2)

    /// Makes the box; nil if the place is not on the globe or nothing is so close.
    init?(around place: CloudLocation, metres: Double) {
        guard metres > 0, (-90...90).contains(place.latitude), place.longitude.isFinite else { return nil }
        // More than rounding can be wrong by, also for the other side of the globe: 0.6 metres.
        let angle = metres / Self.earthRadius * (1 + 1e-9) + 1e-7
        let degrees = angle * 180 / .pi
        latitudes = max(-90, place.latitude - degrees)...min(90, place.latitude + degrees)
        guard latitudes.lowerBound > -90, latitudes.upperBound < 90 else {
            // A pole is inside, and with it every longitude.
            longitudes = nil
            return
        }
        let width = asin(min(1, sin(angle) / cos(place.latitude * .pi / 180))) * 180 / .pi
        guard width < 180 else {
            longitudes = nil
            return
        }
        let centre = place.longitude.remainder(dividingBy: 360)
        longitudes = (
            west: centre - width < -180 ? centre - width + 360 : centre - width,
            east: centre + width > 180 ? centre + width - 360 : centre + width
        )
    }
}
