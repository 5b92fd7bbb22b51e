import CloudRecords
import Foundation

/// The base class of the objects that an app keeps in a cloud database.
///
/// Subclass it, give the stored properties initial values, and save: there is nothing to register and no mapping to
/// write. The class's name becomes the record type, and each stored `var` becomes a field of the same name.
///
/// ```swift
/// final class Message: CloudDataObject {
///     enum Kind: String { case text, picture }
///     var from = ""
///     var to: CloudReference?
///     var kind = Kind.text
///     var likes: Int?
/// }
/// ```
///
/// What is mapped: text, Bool, numbers, dates, data, UUID, URL, references, assets, locations, enums with raw values,
/// optionals, arrays and sets of these, `Codable` values as JSON, and objects of ``CloudEmbeddedObject`` subclasses.
/// A property of another type is an error that names it, at first use. Computed, static, `let`, `weak` and `unowned`
/// properties are not mapped.
///
/// Objects are not `Sendable`: an object belongs to the actor or task that made it.
///
/// ## Topics
/// ### Identity
/// - ``recordID``
/// - ``recordType-swift.property``
/// ### What the store fills
/// - ``creationDate``
/// - ``modificationDate``
/// - ``creatorUserRecordID``
/// - ``lastModifiedUserRecordID``
/// - ``recordChangeTag``
/// ### Tuning the mapping
/// - ``recordType-swift.type.property``
/// - ``fieldRules``
/// - ``indexes``
/// - ``willSave()``
/// - ``didLoad()``
/// ### Records and JSON
/// - ``toRecord()``
/// - ``init(record:)``
/// - ``toJSON(prettyPrinted:)``
/// - ``init(json:)-(String)``
nonisolated open class CloudDataObject: Hashable, CustomStringConvertible {
    // Made when first asked for, so that loading a record doesn't make a random name that is thrown away.
    //
    // The stored properties of this class are loaded and stored whole by the code of this file, which calls nothing while
    // it does: their accesses can't overlap, and checking that for each would be much of the work of loading an object.
    @exclusivity(unchecked)
    private final var assignedRecordID: CloudRecordID?

    /// What the store fills, together.
    @exclusivity(unchecked)
    private final var ownSystemFields = SystemFields()

    /// The row that the object was filled from, as long as its own fields below are not set: what is in the row is made
    /// when it is asked for.
    @exclusivity(unchecked)
    private final var loadedRow: LoadedRow?

    private final var systemFields: SystemFields {
        get { loadedRow.map { $0.rows.systemFields(of: $0.index) } ?? ownSystemFields }
        set {
            let fields = storedFields
            leaveRow()
            ownStoredFields = fields
            ownSystemFields = newValue
        }
    }

    /// When the object was first saved, by the store's clock; nil before that.
    public package(set) var creationDate: Date? {
        get { loadedRow.map { $0.creationDate } ?? systemFields.creationDate }
        set { systemFields.creationDate = newValue }
    }

    /// When the object was last saved, by the store's clock; nil before the first time.
    public package(set) var modificationDate: Date? {
        get { loadedRow.map { $0.modificationDate } ?? systemFields.modificationDate }
        set { systemFields.modificationDate = newValue }
    }

    /// The user who first saved the object.
    public package(set) var creatorUserRecordID: CloudRecordID? {
        get { loadedRow.map { $0.creatorUserRecordID } ?? systemFields.creatorUserRecordID }
        set { systemFields.creatorUserRecordID = newValue }
    }

    /// The user who last saved the object.
    public package(set) var lastModifiedUserRecordID: CloudRecordID? {
        get { loadedRow.map { $0.lastModifiedUserRecordID } ?? systemFields.lastModifiedUserRecordID }
        set { systemFields.lastModifiedUserRecordID = newValue }
    }

    /// The mark of the stored version that the object was read or saved as; nil if it was never saved.
    public package(set) var recordChangeTag: String? {
        get { loadedRow.map { $0.recordChangeTag } ?? systemFields.recordChangeTag }
        set { systemFields.recordChangeTag = newValue }
    }

    @exclusivity(unchecked)
    private final var ownStoredFields: RecordFields?

    /// The fields as the store last had them, by which a save tells what was changed.
    package final var storedFields: RecordFields? { loadedRow.map { $0.rows.fields(of: $0.index) } ?? ownStoredFields }

    @exclusivity(unchecked)
    private final var loadingNotes: LoadingNotes?

    /// What is known of an object of which only some fields were loaded.
    final var partialLoad: PartialLoad? {
        get { loadingNotes?.partialLoad }
        set { if newValue != nil || loadingNotes != nil { madeLoadingNotes.partialLoad = newValue } }
    }

    /// Loaded values that this build doesn't know, by the position of their field in the plan. Their properties hold
    /// stand-ins; as long as they do, these values are saved instead.
    final var unknownValues: [Int: CloudValue] {
        get { loadingNotes?.unknownValues ?? [:] }
        set { if !newValue.isEmpty || loadingNotes != nil { madeLoadingNotes.unknownValues = newValue } }
    }

    private final var madeLoadingNotes: LoadingNotes {
        if let loadingNotes { return loadingNotes }
        let notes = LoadingNotes()
        loadingNotes = notes
        return notes
    }

    /// Makes a new object with a random record name and the properties' initial values.
    public required init() {}

    /// The identity of the object's record.
    ///
    /// A new object gets a random name; assign another one before the first save to choose it. Assigning another ID
    /// to an object that was saved makes it a new object: what the store had filled is cleared. Where only some fields of
    /// the object were loaded, the new one can't be saved: it would lack the others.
    public var recordID: CloudRecordID {
        get {
            if let assignedRecordID { return assignedRecordID }
            let recordID = loadedRow?.recordID ?? CloudRecordID()
            assignedRecordID = recordID
            return recordID
        }
        set {
            guard newValue != assignedRecordID ?? loadedRow?.recordID else { return }
            assignedRecordID = newValue
            forgetStored()
        }
    }

    /// The record type of the object's class.
    public var recordType: String { Self.recordType }

    /// The record type under which objects of this class are kept.
    ///
    /// The default is the class's own name, without module and outer types. A generic class must override it. Several
    /// classes may share a record type: each maps its own properties and leaves the other fields alone.
    open class var recordType: String { ownName(of: self) }

    /// What is to be mapped otherwise than by name and type, see ``FieldRule``.
    open class var fieldRules: [FieldRule] { [] }

    /// What queries for objects of this class have to find or sort quickly, by the names of fields.
    ///
    /// ```swift
    /// override class var indexes: [CloudIndex] { [.queryable("from", sortedBy: "creationDate"), .words] }
    /// ```
    ///
    /// In development, stores make the indexes that a query needs by themselves; one that is declared is there before
    /// the first query, and goes with the class where none is made by queries, as in production. An index on a field
    /// that the class lacks is an error when the first object is saved.
    open class var indexes: [CloudIndex] { [] }

    /// Called before the object is mapped to a record that is to be saved; an error keeps it from being saved.
    open func willSave() throws {}

    /// Called after the object was filled from a record.
    open func didLoad() {}

    /// The class's name, the record name and the fields.
    open var description: String {
        do {
            return try toRecord().description
        } catch {
            return "\(Self.recordType) \(recordID) {\(CloudError(error).message)}"
        }
    }

    /// Two objects are equal when class, record ID and all mapped properties are.
    ///
    /// What only the store fills, such as dates and the change tag, plays no part. An object that can't be mapped
    /// equals only itself.
    public static func == (left: CloudDataObject, right: CloudDataObject) -> Bool {
        if left === right { return true }
        guard type(of: left) == type(of: right), left.recordID == right.recordID else { return false }
        guard let plan = try? MappingPlan.plan(for: left), let leftFields = try? plan.fields(of: left),
            let rightFields = try? plan.fields(of: right)
        else { return false }
        return leftFields.withValues { leftValues in
            rightFields.withValues { leftValues.elementsEqual($0) }
        }
    }

    /// Hashes the record ID, which equal objects share.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(recordID)
    }
}

extension CloudDataObject {
    /// Maps the object to a record.
    ///
    /// Where only some fields of the object were loaded, the others are absent, unless their properties were changed:
    /// saving the record leaves them alone, and so does an object that ``init(record:)`` makes of it.
    ///
    /// Setting a property that was not loaded to its initial value can't be told from not touching it. To clear such
    /// a field, load it first: name it in the query's `desiredKeys`, or fetch the object by its ID.
    ///
    /// - Throws: ``CloudError/Code/mappingFailed`` naming class and property if a property can't be mapped.
    /// - Complexity: O(*n*) in the number of properties.
    public func toRecord() throws -> CloudRecord {
        try MappingPlan.with(planOf: self) { plan in
            CloudRecord(recordID: recordID, fields: try plan.knownFields(of: self), systemFields: systemFields)
        }
    }

    /// Makes an object of a record.
    ///
    /// Fields that the class lacks are ignored, and left alone by later saves. Properties that the record lacks keep
    /// their initial values, as do non-optional ones whose field is null.
    ///
    /// In a record with a change tag, a field that is absent counts as not loaded: saving the object leaves what is
    /// stored in it alone, unless the property is changed, see ``toRecord()``. Without a change tag the object is a new
    /// one, of which all fields are saved.
    ///
    /// - Throws: ``CloudError/Code/mappingFailed`` naming record, field and reason if a value doesn't fit its property.
    public convenience init(record: borrowing CloudRecord) throws {
        self.init()
        try fill(from: record)
    }

    /// Fills the properties from a record, with the store's version of it as the new base.
    package func fill(from record: CloudRecord) throws {
        try MappingPlan.with(planOf: self) { plan in
            try plan.with(bindingFor: record.fields.layout) { try fill(from: record, by: plan, at: $0) }
        }
        adopt(record)
    }

    private func fill(from record: CloudRecord, by plan: MappingPlan, at binding: LayoutBinding) throws {
        try plan.fill(self, from: record, at: binding)
        if storedFields != nil {
            partialLoad?.loaded.formUnion(record.knownFieldNames)
        } else if record.systemFields.recordChangeTag != nil, !plan.isComplete(record.fields, at: binding) {
            partialLoad = try plan.partialLoad(of: self, loaded: Set(record.knownFieldNames))
        }
    }

    /// Takes over the system fields of the record that the properties were filled from, as the new base.
    package func adopt(_ record: CloudRecord) {
        adoptStored(record)
        didLoad()
    }

    /// Takes over the row that the properties were filled from, as the new base.
    func adopt(_ rows: RecordRows, at index: Int) {
        loadedRow = LoadedRow(rows: rows, index: index)
        didLoad()
    }

    /// Takes the record ID over from the row, which is then left.
    private func leaveRow() {
        guard let row = loadedRow else { return }
        if assignedRecordID == nil { assignedRecordID = row.recordID }
        loadedRow = nil
    }

    /// Takes over what the store filled while it saved this object, and the assets as the store keeps them.
    ///
    /// What the app assigned while the save was running is kept: an object that got another record ID is a new one,
    /// and an asset property that no longer holds what was sent keeps what it holds.
    package func adoptSaved(_ record: CloudRecord, sentAs sent: CloudRecord) throws {
        guard recordID == sent.recordID else { return }
        if partialLoad?.isOfFormerRecord == true { partialLoad = nil }
        partialLoad?.loaded.formUnion(sent.knownFieldNames)
        adoptStored(record)
        let plan = try MappingPlan.plan(for: self)
        if !unknownValues.isEmpty {
            unknownValues = unknownValues.filter { record[plan.layout.names[$0.key]] == $0.value }
        }
        try plan.adoptAssets(into: self, from: record, sentAs: sent)
    }

    private func adoptStored(_ record: CloudRecord) {
        loadedRow = nil
        assignedRecordID = record.recordID
        // One by one, for which the compiler makes no copy of the whole.
        ownSystemFields.creationDate = record.systemFields.creationDate
        ownSystemFields.modificationDate = record.systemFields.modificationDate
        ownSystemFields.users = record.systemFields.users
        ownSystemFields.recordChangeTag = record.systemFields.recordChangeTag
        ownStoredFields = record.fields
    }

    /// Makes the object a new one, as if it had never been saved.
    package func forgetStored() {
        leaveRow()
        ownSystemFields = SystemFields()
        ownStoredFields = nil
        partialLoad?.isOfFormerRecord = true
    }

    /// The record as the store last had it, if this object came from a store.
    package var storedRecord: CloudRecord? {
        guard let storedFields else { return nil }
        return CloudRecord(recordID: recordID, fields: storedFields, systemFields: systemFields)
    }
}

/// The row that an object was filled from.
private struct LoadedRow {
    let rows: RecordRows
    let index: Int

    var recordID: CloudRecordID { rows.recordID(of: index) }
    var creationDate: Date? { rows.creationDate(of: index) }
    var modificationDate: Date? { rows.modificationDate(of: index) }
    var creatorUserRecordID: CloudRecordID? { rows.creator(of: index) }
    var lastModifiedUserRecordID: CloudRecordID? { rows.modifier(of: index) }
    var recordChangeTag: String? { rows.changeTag(of: index) }
}
