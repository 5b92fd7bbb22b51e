import CloudRecords

extension CloudDataObject {
    /// Fills the object from a newer record of the same ID, so that it is as a new object of that record would be: a
    /// property whose field is null or unknown goes back to its initial value.
    package func refill(from record: CloudRecord) throws {
        let plan = try MappingPlan.plan(for: self)
        var initial = try plan.fields(of: type(of: self).init())
        for (index, name) in plan.layout.names.enumerated() where record.state(of: name).value != nil {
            initial[index] = .absent
        }
        for record in [CloudRecord(recordID: record.recordID, fields: initial), record] {
            try plan.fill(self, from: record, at: plan.binding(for: record.layout))
        }
        partialLoad = nil
        adopt(record)
    }
}
