import CloudRecords

/// What leads to the records of a page: the index that gives their order, or one that finds those that match.
///
/// An engine without statistics, or with those of last year, guesses which index to use, and a wrong guess reads the
/// whole table. So the choice is made here, and the SQL leaves the engine no other (``SQLDialect/unindexed(_:)``):
///
/// 1. A condition that fixes the record itself drives. Few records are sorted.
/// 2. A search for words or for what is near, or a range, prefix or set of a field that is not the first to sort by,
///    drives if it finds few records. They are sorted for each page.
/// 3. Else the order drives: an index on the field that an equality fixes, if there is one, and the fields of the
///    order. It is walked from where the page begins, and what doesn't match is passed over. Nothing is sorted, and
///    as many match, the page is full soon (unless those that match are all at the other end of the order).
///
/// Where there are several such conditions they are counted, each in its index and up to ``limit`` or to the fewest so
/// far. The equality that finds the fewest is the one of the third way; another condition drives only if it finds less
/// than a fourth of that. Which one drives may differ between the pages of a query: a page begins behind a record and
/// not behind a number of rows, so that none is lost or doubled.
///
/// With *n* records of which *m* match, a page of *k* costs *m* steps by the second way and *k·n/m* by the third.
/// These are equal where *m* = √(*k·n*), which is the limit.
///
/// A search for words that does not drive is answered in one of two ways. By the table of words: all rows that have
/// them are put into a set first, which costs as many steps as there are, on every page. Or by the row's own texts,
/// which costs some microseconds for each row that is passed. The latter is chosen where a condition drives that finds
/// few records, and where a sample of the order, from where the page begins, shows that many of its rows have the
/// words, so that few are passed.
struct QueryDrive: Hashable {
    /// The conditions that the engine may look for in an index, by their positions among the conjuncts.
    var drivers: Set<Int> = []
    /// Whether the order comes from an index, and not by sorting what is found.
    var followsOrder = true
    /// The searches for words that are answered by reading the texts of each row that the rest finds.
    var checked: Set<Int> = []

    /// Where a condition stands in the statement: those that drive first, those that read texts last.
    func place(of position: Int) -> Int {
        drivers.contains(position) ? 0 : checked.contains(position) ? 2 : 1
    }

    /// The predicate's conditions that all have to be true.
    static func conjuncts(_ node: CloudPredicate.Node) -> [CloudPredicate.Node] {
        switch node {
        case .everything: []
        case .and(let nodes): nodes.flatMap(conjuncts)
        default: [node]
        }
    }

    /// The number of matches up to which they are sorted.
    static func limit(page: Int, records: Int64) -> Int {
        let root = (Double(page) * Double(max(records, 1))).squareRoot()
        return Int(min(max(root, 1_000), 50_000))
    }
}

extension SQLRecordType {
    /// Whether a condition leaves no more than one record, or a few in other zones, which it finds by itself.
    func isRecord(_ node: CloudPredicate.Node) -> Bool {
        switch node {
        case .compare("recordID", .equal, _?, []), .compare("recordChangeTag", .equal, _?, []): true
        default: false
        }
    }

    /// The column that a condition fixes to a value, if an index on it pays.
    func equalColumn(_ node: CloudPredicate.Node) -> String? {
        guard case .compare(let name, .equal, let value?, []) = node else { return nil }
        // The text is a name, which is in one of several zones.
        if case .string = value,
            name == SystemField.creatorUserRecordID.rawValue
                || name == SystemField.lastModifiedUserRecordID.rawValue
        {
            return nil
        }
        guard name != SystemField.recordID.rawValue else { return nil }
        return indexedColumn(name)
    }

    /// The index that finds what a condition matches, if one can.
    func filterIndex(_ node: CloudPredicate.Node) -> IndexDefinition? {
        switch node {
        case .near(let name, let place, let metres):
            guard let field = field(name), field.type == .location else { return nil }
            guard BoundingBox(around: place, metres: metres) != nil else { return nil }
            return IndexDefinition(equal: [field.latitude, field.longitude], sorted: [])
        case .compare(let name, .less, _?, []), .compare(let name, .lessOrEqual, _?, []),
            .compare(let name, .greater, _?, []), .compare(let name, .greaterOrEqual, _?, []),
            .between(let name, _, _), .beginsWith(let name, _, []):
            return indexedColumn(name).map { IndexDefinition(equal: [$0], sorted: []) }
        case .oneOf(let name, let values) where !values.contains(nil) && SystemField(rawValue: name) == nil:
            return indexedColumn(name).map { IndexDefinition(equal: [$0], sorted: []) }
        case .like(let name, let pattern, []) where !LikePattern(pattern, []).literalPrefix.isEmpty:
            return indexedColumn(name).map { IndexDefinition(equal: [$0], sorted: []) }
        default:
            return nil
        }
    }

    private func indexedColumn(_ name: String) -> String? {
        switch SystemField(rawValue: name) {
        case .creationDate: return SystemColumn.created.rawValue
        case .modificationDate: return SystemColumn.modified.rawValue
        case .creatorUserRecordID: return SystemColumn.creator.rawValue
        case .lastModifiedUserRecordID: return SystemColumn.modifier.rawValue
        case .recordID: return SystemColumn.name.rawValue
        case .recordChangeTag: return nil
        case nil: break
        }
        guard let field = field(name) else { return nil }
        switch field.kind {
        case .string, .int64, .double, .date, .reference: return field.column
        case .bytes, .location, .asset, .list: return nil
        }
    }
}
