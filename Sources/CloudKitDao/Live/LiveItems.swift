/// The objects of a ``LiveQuery`` at a moment, in order.
///
/// To get and to copy it is O(1), however many objects there are; so is, nearly, an object by its position. The objects
/// themselves are those of the query, which go on being updated.
public struct LiveItems<Object: CloudDataObject>: RandomAccessCollection {
    let objects: ChunkedArray<Object>

    /// Always 0.
    public var startIndex: Int { 0 }

    /// The number of objects.
    public var endIndex: Int { objects.count }

    /// The object at a position.
    /// - Complexity: O(log *n*).
    public subscript(position: Int) -> Object { objects[position] }
}

/// One step by which a ``LiveQuery`` became what it is.
///
/// The steps lead from one content to the next when they are applied in their order: each position is the one at that
/// moment.
public enum LiveChange<Object: CloudDataObject> {
    /// An object came in, at a position.
    case inserted(Object, at: Int)
    /// An object has other values, at the same position.
    case updated(Object, at: Int)
    /// An object has other values by which it belongs elsewhere. The second position is the one after it was taken out
    /// at the first.
    case moved(Object, from: Int, to: Int)
    /// An object went: it was deleted, or belongs to the collection no longer.
    case deleted(CloudRecordID, at: Int)
}

extension RangeReplaceableCollection where Index == Int {
    /// Makes a copy of a live query's items what these are after a change.
    public mutating func apply<Object: CloudDataObject>(_ change: LiveChange<Object>) where Element == Object {
        switch change {
        case .inserted(let object, let index): insert(object, at: index)
        case .updated(let object, let index): replaceSubrange(index..<index + 1, with: [object])
        case .moved(let object, let from, let to):
            remove(at: from)
            insert(object, at: to)
        case .deleted(_, let index): remove(at: index)
        }
    }
}
