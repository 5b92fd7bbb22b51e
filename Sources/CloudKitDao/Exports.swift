// An app imports CloudKitDao only; records, objects and the embedded store come with it.
@_exported import CloudRecords
@_exported import ObjectMapping
@_exported import SQLiteStore
