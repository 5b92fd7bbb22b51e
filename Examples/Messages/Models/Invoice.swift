import CloudKitDao

/// An invoice with addresses inside.
final class Invoice: CloudDataObject {
    var invoiceNumber: String?
    var total = 0.0

    // Embedded objects are part of the invoice's own record: the field of a city is `invoiceAddress__city`.
    var invoiceAddress = Address()
    var deliveryAddress: Address?
    var postalAddress: Address?
}

/// An address, which is never stored alone.
final class Address: CloudEmbeddedObject {
    var street = ""
    var houseNumber = ""
    var postalCode = ""
    var city = ""
    var country = ""

    // A computed property, so it is not stored.
    var label: String {
        "\(street) \(houseNumber), \(postalCode) \(city), \(country)"
    }
}
