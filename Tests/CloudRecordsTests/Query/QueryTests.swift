import CloudRecords
import Foundation
import Testing

@Suite struct QueryTests {
    @Test func `orders chain from the most to the least important key`() {
        let place = CloudLocation(latitude: 1, longitude: 2)
        let order = OrderBy.ascending("a").descending("b").distance("c", from: place)
        #expect(
            order.keys == [.field("a", ascending: true), .field("b", ascending: false), .distance("c", from: place)]
        )
        #expect(OrderBy.distance("c", from: place).ascending("a").keys.count == 2)
        #expect(OrderBy.recordName.keys.isEmpty)
    }

    @Test func `a query without anything else returns all records, newest first`() {
        let query = CloudQuery(recordType: "Message")
        #expect(query.predicate == .all)
        #expect(query.orderBy == .descending("creationDate"))
        #expect(query.zoneID == nil)
        #expect(query.desiredFields == nil)
    }

    @Test func `queries, cursors, tokens and subscriptions survive JSON`() throws {
        let query = CloudQuery(
            recordType: "Message",
            predicate: "from == \("me") AND sent < \(Date(timeIntervalSinceReferenceDate: 5))",
            orderBy: .ascending("text").distance("place", from: CloudLocation(latitude: 1, longitude: 2)),
            zoneID: CloudZoneID("notes"),
            desiredFields: ["text"]
        )
        #expect(try throughJSON(query) == query)
        let cursor = CloudCursor(queryFingerprint: "f", position: Data([1]))
        #expect(try throughJSON(cursor) == cursor)
        let token = CloudChangeToken(position: Data([2]))
        #expect(try throughJSON(token) == token)
        for target: CloudSubscription.Target in [
            .query(recordType: "Message", query.predicate), .zone(.default), .database,
        ] {
            let subscription = CloudSubscription(
                subscriptionID: "s",
                target: target,
                events: [.create],
                firesOnce: true
            )
            #expect(try throughJSON(subscription) == subscription)
        }
        let notification = CloudNotification(
            notificationID: "n",
            subscriptionID: "s",
            event: .update,
            recordID: CloudRecordID("m1"),
            recordFields: ["likes": .int64(3)],
            info: .init()
        )
        #expect(try throughJSON(notification) == notification)
        #expect(CloudSubscription(subscriptionID: "s", target: .database).events.count == 3)
    }
}
