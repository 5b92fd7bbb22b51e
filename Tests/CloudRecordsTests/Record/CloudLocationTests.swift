import CloudRecords
import Foundation
import Testing

@Suite struct CloudLocationTests {
    struct Distance: Sendable, CustomTestStringConvertible {
        let name: String
        let from: CloudLocation
        let to: CloudLocation
        /// Metres on a sphere with the earth's mean radius, computed with another formula than the code's.
        let metres: Double

        init(_ name: String, _ from: (Double, Double), _ to: (Double, Double), _ metres: Double) {
            self.name = name
            self.from = CloudLocation(latitude: from.0, longitude: from.1)
            self.to = CloudLocation(latitude: to.0, longitude: to.1)
            self.metres = metres
        }

        var testDescription: String { name }
    }

    @Test(arguments: [
        Distance("nowhere", (52.1, 4.3), (52.1, 4.3), 0),
        Distance("one degree of the equator", (0, 0), (0, 1), 111_195.080_233_532_9),
        Distance("across the date line", (0, 179.5), (0, -179.5), 111_195.080_233_532_9),
        Distance("Amsterdam to Paris", (52.3702, 4.8952), (48.8566, 2.3522), 429_860.386_186_929_4),
        Distance("Heathrow to Kennedy", (51.4775, -0.4614), (40.6413, -73.7781), 5_539_294.274_837_37),
        Distance("a few metres in Sydney", (-33.8688, 151.2093), (-33.8688, 151.2094), 9.232_704_065_7),
        Distance("pole to pole", (90, 0), (-90, 0), 20_015_114.442_035_925),
        Distance("to the antipode", (0, 0), (0, 180), 20_015_114.442_035_925),
    ])
    func `distances are those of great circles`(distance: Distance) {
        let tolerance = max(1e-6, distance.metres * 1e-9)
        #expect(abs(distance.from.distance(to: distance.to) - distance.metres) < tolerance)
        #expect(abs(distance.to.distance(to: distance.from) - distance.metres) < tolerance)
    }

    @Test func `altitude plays no part in a distance`() {
        let ground = CloudLocation(latitude: 46, longitude: 7)
        let summit = CloudLocation(latitude: 46, longitude: 7, altitude: 4_000)
        #expect(ground.distance(to: summit) == 0)
        #expect(ground != summit)
    }

    @Test func `all eight values survive JSON`() throws {
        let location = CloudLocation(
            latitude: 52.1,
            longitude: 4.3,
            altitude: 1,
            horizontalAccuracy: 2,
            verticalAccuracy: 3,
            course: 4,
            speed: 5,
            timestamp: Date(timeIntervalSinceReferenceDate: 700_000_000.125)
        )
        #expect(try throughJSON(location) == location)
    }
}
