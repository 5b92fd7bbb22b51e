import CloudRecords

/// Matches objects that refer to a record; the reference's action doesn't matter.
public func == <Root: CloudDataObject>(
    keyPath: KeyPath<Root, CloudReference?>,
    recordID: CloudRecordID
) -> ObjectPredicate<Root> {
    ObjectPredicate(keyPath, .equal, CloudReference(recordID: recordID))
}

/// Matches objects that refer to an object; the reference's action doesn't matter.
public func == <Root: CloudDataObject>(
    keyPath: KeyPath<Root, CloudReference?>,
    object: CloudDataObject
) -> ObjectPredicate<Root> {
    ObjectPredicate(keyPath, .equal, CloudReference(to: object))
}

/// Matches objects that refer to a record; the reference's action doesn't matter.
public func == <Root: CloudDataObject>(
    keyPath: KeyPath<Root, CloudReference>,
    recordID: CloudRecordID
) -> ObjectPredicate<Root> {
    ObjectPredicate(keyPath, .equal, CloudReference(recordID: recordID))
}

/// Matches objects that refer to an object; the reference's action doesn't matter.
public func == <Root: CloudDataObject>(
    keyPath: KeyPath<Root, CloudReference>,
    object: CloudDataObject
) -> ObjectPredicate<Root> {
    ObjectPredicate(keyPath, .equal, CloudReference(to: object))
}

/// Matches objects with the record ID of an object in a property.
public func == <Root: CloudDataObject>(
    keyPath: KeyPath<Root, CloudRecordID?>,
    object: CloudDataObject
) -> ObjectPredicate<Root> {
    ObjectPredicate(keyPath, .equal, object.recordID)
}

/// Matches objects with the record ID of an object in a property.
public func == <Root: CloudDataObject>(
    keyPath: KeyPath<Root, CloudRecordID>,
    object: CloudDataObject
) -> ObjectPredicate<Root> {
    ObjectPredicate(keyPath, .equal, object.recordID)
}

/// Matches objects with a record name, in the default zone.
public func == <Root: CloudDataObject>(
    keyPath: KeyPath<Root, CloudRecordID>,
    recordName: String
) -> ObjectPredicate<Root> {
    ObjectPredicate(keyPath, .equal, CloudRecordID(recordName))
}

/// Matches objects that don't refer to a record, those with nil included; the reference's action doesn't matter.
public func != <Root: CloudDataObject>(
    keyPath: KeyPath<Root, CloudReference?>,
    recordID: CloudRecordID
) -> ObjectPredicate<Root> {
    ObjectPredicate(keyPath, .notEqual, CloudReference(recordID: recordID))
}

/// Matches objects that don't refer to an object, those with nil included; the reference's action doesn't matter.
public func != <Root: CloudDataObject>(
    keyPath: KeyPath<Root, CloudReference?>,
    object: CloudDataObject
) -> ObjectPredicate<Root> {
    ObjectPredicate(keyPath, .notEqual, CloudReference(to: object))
}

/// Matches objects that don't refer to a record; the reference's action doesn't matter.
public func != <Root: CloudDataObject>(
    keyPath: KeyPath<Root, CloudReference>,
    recordID: CloudRecordID
) -> ObjectPredicate<Root> {
    ObjectPredicate(keyPath, .notEqual, CloudReference(recordID: recordID))
}

/// Matches objects that don't refer to an object; the reference's action doesn't matter.
public func != <Root: CloudDataObject>(
    keyPath: KeyPath<Root, CloudReference>,
    object: CloudDataObject
) -> ObjectPredicate<Root> {
    ObjectPredicate(keyPath, .notEqual, CloudReference(to: object))
}

/// Matches objects without the record ID of an object in a property, those with nil included.
public func != <Root: CloudDataObject>(
    keyPath: KeyPath<Root, CloudRecordID?>,
    object: CloudDataObject
) -> ObjectPredicate<Root> {
    ObjectPredicate(keyPath, .notEqual, object.recordID)
}

/// Matches objects without the record ID of an object in a property.
public func != <Root: CloudDataObject>(
    keyPath: KeyPath<Root, CloudRecordID>,
    object: CloudDataObject
) -> ObjectPredicate<Root> {
    ObjectPredicate(keyPath, .notEqual, object.recordID)
}

/// Matches objects without a record name, in the default zone.
public func != <Root: CloudDataObject>(
    keyPath: KeyPath<Root, CloudRecordID>,
    recordName: String
) -> ObjectPredicate<Root> {
    ObjectPredicate(keyPath, .notEqual, CloudRecordID(recordName))
}

extension ObjectPredicate {
    /// Matches objects that refer to one of some records; the reference's action doesn't matter.
    public static func isIn(
        _ keyPath: KeyPath<Root, CloudReference?>,
        _ recordIDs: [CloudRecordID]
    ) -> ObjectPredicate {
        ObjectPredicate(keyPath) { field in
            .oneOf(field: field.name, try recordIDs.map { try field.value(of: CloudReference(recordID: $0)) })
        }
    }

    /// Matches objects that refer to one of some records; the reference's action doesn't matter.
    public static func isIn(
        _ keyPath: KeyPath<Root, CloudReference>,
        _ recordIDs: [CloudRecordID]
    ) -> ObjectPredicate {
        ObjectPredicate(keyPath) { field in
            .oneOf(field: field.name, try recordIDs.map { try field.value(of: CloudReference(recordID: $0)) })
        }
    }

    /// Matches objects whose list has a reference to a record; the reference's action doesn't matter.
    public static func contains(
        _ keyPath: KeyPath<Root, [CloudReference]>,
        _ recordID: CloudRecordID
    ) -> ObjectPredicate {
        .contains(keyPath, CloudReference(recordID: recordID))
    }
}
