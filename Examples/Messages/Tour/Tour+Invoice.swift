import CloudKitDao

/// Step 6: objects inside an object.
extension Tour {
    func sendInvoice() async throws {
        let invoice = Invoice()
        invoice.recordID = CloudRecordID("invoice-42")
        invoice.invoiceNumber = "2026-0042"
        invoice.total = 119.5
        fill(invoice.invoiceAddress, "Keizersgracht", "12", "1015 CN", "Amsterdam")
        let deliveryAddress = Address()
        fill(deliveryAddress, "Oude Delft", "75", "2611 BC", "Delft")
        invoice.deliveryAddress = deliveryAddress
        // The postal address stays nil.
        try await alice.dao.save(invoice)

        let record = try await bob.store.fetch([invoice.recordID], desiredFields: nil)[0].get()
        say("An address has no record of its own: its properties are fields of the invoice.")
        show(record)

        // In a predicate, a property of an embedded object is named as its field is.
        await waitForHandlers { done in
            bob.dao.query(
                Invoice(),
                predicate: "deliveryAddress__city == 'Delft'",
                completionHandler: { (invoices: [Invoice]) in
                    self.check(invoices, against: invoice)
                    done()
                },
                errorHandler: { error in
                    self.expectations.addSurprise("the invoice can't be found: \(error)")
                    done()
                }
            )
        }
    }

    private func check(_ invoices: [Invoice], against original: Invoice) {
        guard let found = invoices.first, invoices.count == 1 else {
            return expectations.addSurprise("\(invoices.count) invoices go to Delft, not 1")
        }
        var table = Table(.left("address"), .left("value"))
        table.addRow("invoice", found.invoiceAddress.label)
        table.addRow("delivery", found.deliveryAddress?.label ?? "nil")
        table.addRow("postal", found.postalAddress?.label ?? "nil")
        show(table)
        expectations.check("the whole invoice comes back", found, equals: original)
        expectations.check(
            "the delivery address is the one that was saved",
            found.deliveryAddress?.label,
            equals: "Oude Delft 75, 2611 BC Delft, Netherlands"
        )
        expectations.check("the postal address is nil, not empty", found.postalAddress == nil)
    }

    private func fill(_ address: Address, _ street: String, _ number: String, _ postalCode: String, _ city: String) {
        address.street = street
        address.houseNumber = number
        address.postalCode = postalCode
        address.city = city
        address.country = "Netherlands"
    }
}
