import CloudRecords

/// How an engine writes what SQL's dialects write differently.
package protocol SQLDialect: Sendable {
    /// An identifier in quotes, whatever it contains.
    func quoted(_ identifier: String) -> String

    /// The most parameters that a statement may have.
    var maximumParameters: Int { get }

    /// The placeholder of the parameter with this number, from 1. It may stand in several places.
    func placeholder(_ number: Int) -> String

    /// The placeholder of the parameter with this number, which stands in one place, behind those of the parameters
    /// before it. Thousands of them cost the engine no more than each its own.
    func nextPlaceholder(_ number: Int) -> String

    /// The value of a placeholder for the engine to get for each row anew, for statements with thousands of them;
    /// the column is one that is never null.
    func nextPlaceholder(_ placeholder: String, besideColumn column: String) -> String

    /// The type of a column in a table's definition.
    func definition(of storage: ColumnStorage) -> String

    /// Whether two values differ, null being a value like others.
    func isDistinct(_ left: String, from right: String) -> String

    /// Whether a column has a value, written so that an index on the column finds those that have.
    func hasValue(_ column: String, storage: ColumnStorage) -> String

    /// The same value in a form for which the engine looks into no index.
    func unindexed(_ expression: String) -> String

    /// Whether a list column has an element that meets a condition on ``element``; false or null if it is no list.
    func list(_ column: String, hasElementWhere condition: String) -> String

    /// The element in the condition of ``list(_:hasElementWhere:)``.
    var element: String { get }

    /// The bytes that an element stands for.
    func bytes(ofElement element: String) -> String

    /// A number as the engine reads it in the text of a list, so that it equals what it reads in a list column.
    func listElement(_ placeholder: String) -> String

    /// Whether a value is among the elements of a list that is bound as a JSON text.
    func isElement(_ value: String, ofList placeholder: String, _ elements: ListElements) -> String

    /// Whether a text column contains a text.
    func text(_ column: String, contains placeholder: String) -> String

    /// Whether a text ends with a text of so many Unicode scalars, at least one.
    func text(_ text: String, endsWith placeholder: String, count: String) -> String

    /// The first so many Unicode scalars of a text.
    func text(_ text: String, upTo count: Int) -> String

    /// Whether a text matches a ``LikePattern``; nil if the engine can't tell.
    func text(_ text: String, isLike placeholder: String, _ options: TextOptions) -> String?

    /// A text as ``TextFolding`` folds it; nil if the engine can't fold so.
    func folded(_ text: String, _ options: TextOptions) -> String?

    /// The ``ChangeTag`` of a sequence number; nil if the engine can't make it.
    func changeTag(ofSequence sequence: String) -> String?

    /// The distance between two places in metres, as ``CloudLocation/distance(to:)`` has it; null if one is null.
    func distance(latitude: String, longitude: String, from place: (latitude: String, longitude: String)) -> String?

    /// The distance of a location that is an element of a list.
    func distance(ofElement element: String, from place: (latitude: String, longitude: String)) -> String?

    /// A distance, or infinity if it is null.
    func farthest(ifNull distance: String) -> String

    /// The statement that makes a table for words, a text of words for each row.
    func tokenTableDefinition(_ table: String) -> String

    /// The statement that adds the words of a row: the first parameter is its number, the second one their text.
    func tokenInsertion(_ table: String) -> String

    /// The statement that removes the words of a row, whose number is the first parameter.
    func tokenDeletion(_ table: String) -> String

    /// The statement that finds the numbers of the rows that have all of the words.
    func tokenSearch(_ table: String, allOf words: [String], bind: (String) -> String) -> String

    /// Whether all words of a text, which are separated by spaces, occur in the text columns of a row; nil if the
    /// engine can't tell without the table of words.
    func row(_ columns: [String], hasWordsOf placeholder: String) -> String?
}

/// How the elements of a list are written that is bound as a JSON text.
package enum ListElements: Sendable {
    /// Text and integers, as JSON has them; numbers as ``SQLDialect/listElement(_:)`` reads them.
    case plain
    /// Integers as numbers; doubles as decimal texts, which have to be read exactly.
    case numbers
    /// Bytes as base64 texts.
    case bytes
}

/// What a column of a table holds, in terms that every engine has.
package enum ColumnStorage: Sendable {
    case integer, real, text, blob
}
