import CloudRecords

/// How an engine writes what SQL's dialects write differently.
package protocol SQLDialect: Sendable {
    /// An identifier in quotes, whatever it contains.
    func quoted(_ identifier: String) -> String

    /// The placeholder of the parameter with this number, from 1.
    func placeholder(_ number: Int) -> String

    /// The type of a column in a table's definition.
    func definition(of storage: ColumnStorage) -> String

    /// Whether two values differ, null being a value like others.
    func isDistinct(_ left: String, from right: String) -> String

    /// Whether a column has a value, written so that an index on the column finds those that have.
    func hasValue(_ column: String, storage: ColumnStorage) -> String

    /// Whether a list column has one of these values as an element.
    func listColumn(_ column: String, containsOneOf values: [String]) -> String

    /// A number as the engine reads it in the text of a list, so that it equals what it reads in a list column.
    func listElement(_ placeholder: String) -> String

    /// Whether a value is among the elements of a list that is bound as text.
    func isElement(_ value: String, ofList placeholder: String) -> String

    /// Whether a text column contains a text.
    func text(_ column: String, contains placeholder: String) -> String
}

/// What a column of a table holds, in terms that every engine has.
package enum ColumnStorage: Sendable {
    case integer, real, text, blob
}
