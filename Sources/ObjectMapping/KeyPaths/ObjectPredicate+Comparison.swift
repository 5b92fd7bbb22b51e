import CloudRecords

/// Matches objects whose property equals the value; a nil value matches nil.
public func == <Root: CloudDataObject, Value: Equatable>(
    keyPath: KeyPath<Root, Value>,
    value: Value
) -> ObjectPredicate<Root> {
    ObjectPredicate(keyPath, .equal, value)
}

/// Matches objects whose property differs from the value, those with nil included.
public func != <Root: CloudDataObject, Value: Equatable>(
    keyPath: KeyPath<Root, Value>,
    value: Value
) -> ObjectPredicate<Root> {
    ObjectPredicate(keyPath, .notEqual, value)
}

/// Matches objects whose property is less than the value.
public func < <Root: CloudDataObject, Value: Comparable>(
    keyPath: KeyPath<Root, Value>,
    value: Value
) -> ObjectPredicate<Root> {
    ObjectPredicate(keyPath, .less, value)
}

/// Matches objects whose property is the value or less.
public func <= <Root: CloudDataObject, Value: Comparable>(
    keyPath: KeyPath<Root, Value>,
    value: Value
) -> ObjectPredicate<Root> {
    ObjectPredicate(keyPath, .lessOrEqual, value)
}

/// Matches objects whose property is greater than the value.
public func > <Root: CloudDataObject, Value: Comparable>(
    keyPath: KeyPath<Root, Value>,
    value: Value
) -> ObjectPredicate<Root> {
    ObjectPredicate(keyPath, .greater, value)
}

/// Matches objects whose property is the value or greater.
public func >= <Root: CloudDataObject, Value: Comparable>(
    keyPath: KeyPath<Root, Value>,
    value: Value
) -> ObjectPredicate<Root> {
    ObjectPredicate(keyPath, .greaterOrEqual, value)
}

/// Matches objects whose property is less than the value; nil never is.
public func < <Root: CloudDataObject, Value: Comparable>(
    keyPath: KeyPath<Root, Value?>,
    value: Value
) -> ObjectPredicate<Root> {
    ObjectPredicate(keyPath, .less, value)
}

/// Matches objects whose property is the value or less; nil never is.
public func <= <Root: CloudDataObject, Value: Comparable>(
    keyPath: KeyPath<Root, Value?>,
    value: Value
) -> ObjectPredicate<Root> {
    ObjectPredicate(keyPath, .lessOrEqual, value)
}

/// Matches objects whose property is greater than the value; nil never is.
public func > <Root: CloudDataObject, Value: Comparable>(
    keyPath: KeyPath<Root, Value?>,
    value: Value
) -> ObjectPredicate<Root> {
    ObjectPredicate(keyPath, .greater, value)
}

/// Matches objects whose property is the value or greater; nil never is.
public func >= <Root: CloudDataObject, Value: Comparable>(
    keyPath: KeyPath<Root, Value?>,
    value: Value
) -> ObjectPredicate<Root> {
    ObjectPredicate(keyPath, .greaterOrEqual, value)
}

/// Matches objects whose property is nil, of a type whose values can't be compared.
public func == <Root: CloudDataObject, Value>(
    keyPath: KeyPath<Root, Value?>,
    none: _OptionalNilComparisonType
) -> ObjectPredicate<Root> {
    .isNil(keyPath)
}

/// Matches objects whose property is not nil, of a type whose values can't be compared.
public func != <Root: CloudDataObject, Value>(
    keyPath: KeyPath<Root, Value?>,
    none: _OptionalNilComparisonType
) -> ObjectPredicate<Root> {
    ObjectPredicate(keyPath) { .compare(field: $0.name, .notEqual, nil) }
}
