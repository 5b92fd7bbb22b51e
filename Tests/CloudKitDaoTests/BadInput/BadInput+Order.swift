import CloudKitDao
import Foundation
import Testing

private enum Urgency: String {
    case high, low, mid
}

private enum Size: String, Comparable {
    case small, medium, large

    static func < (left: Size, right: Size) -> Bool { left != right && (left == .small || right == .large) }
}

private final class Offer: CloudDataObject {
    var price: Decimal = 0
    var discount: Decimal?
    var prices: [Decimal] = []
    var urgency = Urgency.mid
    var extent = Size.small
    var title = ""
    var size = 0.0
}

extension BadInput {
    private func refusal(_ predicate: CloudPredicate, _ orderBy: OrderBy = .recordName) async throws -> CloudError {
        try #require(
            await #expect(throws: CloudError.self) {
                try await dao.query(Offer.self, predicate: predicate, orderBy: orderBy)
            }
        )
    }

    private func expectRefusal(_ error: CloudError, _ field: String, _ type: String) {
        #expect(error.code == .unsupported)
        #expect(error.field == field)
        #expect(error.message.contains("Field \(field) "))
        #expect(error.message.contains("the type \(type) "))
        #expect(error.remedy.contains("=="))
    }

    @Test(arguments: [
        ("price > '9'", "price", "Decimal"), ("NOT (title == 'x' OR price <= '10')", "price", "Decimal"),
        ("price BETWEEN {'1', '9'}", "price", "Decimal"), ("discount < '9'", "discount", "Decimal"),
        ("ANY prices < '9'", "prices", "Decimal"), ("urgency < 'mid'", "urgency", "Urgency"),
    ])
    func `a property kept as text is not compared as text`(format: String, field: String, type: String) async throws {
        expectRefusal(try await refusal(CloudPredicate(format: format)), field, type)
    }

    @Test func `nor sorted as text`() async throws {
        expectRefusal(try await refusal(.all, .ascending("price")), "price", "Decimal")
        expectRefusal(try await refusal(.all, .ascending("title").descending("discount")), "discount", "Decimal")
        expectRefusal(try await refusal(.all, .descending("extent")), "extent", "Size")
    }

    @Test func `an enum without an order of its own is sorted by its raw values, in both spellings`() async throws {
        for urgency in [Urgency.mid, .high, .low] {
            let offer = Offer()
            offer.urgency = urgency
            try await dao.save(offer)
        }
        let byName = try await dao.query(Offer.self, predicate: .all, orderBy: .ascending("urgency"))
        let byKeyPath = try await dao.query(Offer.self, orderBy: .ascending(\.urgency))
        #expect(byName.map(\.urgency) == [.high, .low, .mid])
        #expect(byKeyPath.map(\.urgency) == [.high, .low, .mid])
    }

    @Test func `its values are found, and text is sorted`() async throws {
        let offer = Offer()
        offer.price = 10
        offer.prices = [3]
        try await dao.save(offer)
        for format in [
            "price == '10' AND discount == nil AND urgency IN {'mid'}", "ANY prices == '3'", "title < 'x' AND size < 1",
        ] {
            let found = try await dao.query(
                Offer.self,
                predicate: CloudPredicate(format: format),
                orderBy: .ascending("title").descending("size")
            )
            #expect(found.count == 1, "\(format)")
        }
    }
}
