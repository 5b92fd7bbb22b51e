/// What has to be made so that a page can be read well.
enum IndexNeed: Sendable, Hashable {
    /// An index on columns; without it reading takes longer.
    case columns(IndexDefinition)
    /// The table of the record type's words; without it they can't be searched.
    case tokens
}
