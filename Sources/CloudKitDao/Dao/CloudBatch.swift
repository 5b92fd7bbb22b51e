/// A page of a query's results as objects.
///
/// Its failures belong to records that can't be mapped to the class: they are left out of the objects, and were
/// reported to ``CloudDao/mappingFailureHandler`` too.
public struct CloudBatch<Object: CloudDataObject>: RandomAccessCollection {
    let objects: [Object]

    /// Where the next batch goes on; nil when this is the last one.
    public let cursor: CloudCursor?

    /// The errors of the page's records that can't be mapped.
    public let failures: [CloudError]

    init(objects: [Object], cursor: CloudCursor?, failures: [CloudError]) {
        self.objects = objects
        self.cursor = cursor
        self.failures = failures
    }

    /// Always 0.
    public var startIndex: Int { objects.startIndex }

    /// The number of objects.
    public var endIndex: Int { objects.endIndex }

    /// The object at a position.
    public subscript(position: Int) -> Object { objects[position] }
}
