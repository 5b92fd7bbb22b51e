import CloudKitDao
import Foundation

/// Step 8: places.
extension Tour {
    private static let departure = Date(timeIntervalSince1970: 1_767_312_000)  // 2 January 2026

    func travel() async throws {
        let messages = SamplePlaces.journey.enumerated().map { day, stop in
            let message = Message()
            message.recordID = CloudRecordID("journey-\(day + 1)")
            message.from = bob.reference
            message.to = alice.reference
            message.sentAt = Self.departure.addingTimeInterval(86_400 * Double(day))
            message.kind = .location
            message.text = "I am in \(stop.place.name)."
            message.place = stop.place.location
            return message
        }
        try await bob.dao.save(messages)
        remember(messages)
        try await followJourney()
        try await findNearest()
    }

    private func followJourney() async throws {
        let received = try await alice.dao.query(
            Message.self,
            where: \.place != nil && \.sentAt >= Self.departure,
            orderBy: .ascending(\.sentAt)
        )
        expectations.check("Alice receives all stops", received.count, equals: SamplePlaces.journey.count)
        var table = Table(.left("text"), .left("latitude, longitude"), .right("km from \(SamplePlaces.home.name)"))
        for message in received {
            guard let place = message.place else { continue }
            table.addRow(message.text, "\(place)", kilometres(place.distance(to: SamplePlaces.home.location)))
        }
        show(table)
        for (message, stop) in zip(received, SamplePlaces.journey) {
            let distance = message.place?.distance(to: SamplePlaces.home.location) ?? 0
            expectations.check(
                "\(stop.place.name) is about \(Int(stop.kilometres)) km away",
                abs(distance / 1_000 - stop.kilometres) < stop.kilometres / 50
            )
        }
    }

    /// Sorts by distance on this side; the objects bring their places along. Step 10 leaves it to the store.
    private func findNearest() async throws {
        let visitor = CloudLocation(latitude: 52.08, longitude: 4.31)  // The Hague
        let messages = try await alice.dao.query(Message.self, where: \.kind == .location)
        var nearest: [String: Double] = [:]
        for message in messages {
            if let place = message.place { nearest[message.text] = place.distance(to: visitor) }
        }
        say("Seen from The Hague, of \(messages.count) location messages:")
        var table = Table(.left("text"), .right("km"))
        let sorted = nearest.sorted { $0.value < $1.value }
        for (text, distance) in sorted.prefix(4) { table.addRow(text, kilometres(distance)) }
        show(table)
        expectations.check("all have a place", messages.allSatisfy { $0.place != nil })
        expectations.check("as many as expected", messages.count, equals: expectedCount { $0.kind == .location })
        expectations.check("Delft is the nearest town", sorted.first?.key, equals: "I am in Delft.")
    }
}
