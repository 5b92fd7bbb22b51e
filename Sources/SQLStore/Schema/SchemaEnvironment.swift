/// Which part of a database's schema a store sees, and whether saving changes it.
package enum SchemaEnvironment: Sendable {
    /// All of it; types, fields and indexes appear as they are needed.
    case development
    /// What was deployed; only ``SQLRecordStore/extendSchema(_:)`` and ``SQLRecordStore/deploySchema()`` change it.
    case production
}
