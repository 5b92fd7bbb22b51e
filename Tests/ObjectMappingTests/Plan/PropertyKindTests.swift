import CloudRecords
import Foundation
import ObjectMapping
import Observation
import Testing

@propertyWrapper private struct Clamped: CloudPropertyWrapper {
    private var value = 1
    var wrappedValue: Int {
        get { value }
        set { value = min(max(newValue, 1), 100) }
    }
}

@propertyWrapper private final class Shared<Value>: CloudPropertyWrapper {
    var wrappedValue: Value
    init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

@propertyWrapper private struct Unknown<Value> {
    var wrappedValue: Value
}

/// Wrapped property shows up with a leading underscore
private final class Voucher: CloudDataObject {
    @Clamped var percent: Int
    @Shared var note: String?
    @Shared var kinds: [Kind] = []
    enum Kind: String { case gift, refund }
}

private final class Foreign: CloudDataObject {
    @Unknown var count = 3
}

private final class ForeignIgnored: CloudDataObject {
    @Unknown var count = 3
    var title = ""
    override class var fieldRules: [FieldRule] { [.ignore("count")] }
}

private final class Legacy: CloudDataObject {
    var _legacy = ""
}

/// Back end rejects keys that begin with an underscore
private final class Crate: CloudDataObject {
    var _serial = "hidden"
    var serial = "shown"
    override class var fieldRules: [FieldRule] { [.rename("_serial", to: "innerSerial")] }
}

private final class IgnoringCrate: CloudDataObject {
    var _serial = "hidden"
    var serial = "shown"
    override class var fieldRules: [FieldRule] { [.ignore("serial"), .rename("_serial", to: "innerSerial")] }
}

@Observable private final class Note: CloudDataObject {
    var title = ""
    var likes: Int?
    @ObservationIgnored var draft = false
    @ObservationIgnored lazy var words = ["lazy"]
}

private final class Lazy: CloudDataObject {
    lazy var text = Self.evaluate()
    lazy var number: Int? = 4
    lazy var list: [String] = ["initial"]
    nonisolated(unsafe) static var evaluations = 0
    private static func evaluate() -> String {
        evaluations += 1
        return "evaluated"
    }
}

private final class Friend {}

private final class LeftOut: CloudDataObject {
    weak var friend: Friend?
    unowned var owner: Friend?
    let constant = "constant"
    static let shared = "shared"
    nonisolated(unsafe) static var count = 0
    var computed: String {
        get { kept }
        set { kept = newValue }
    }
    var kept = ""
}

private final class Orphan: CloudDataObject {
    unowned var owner: Friend
    var name = ""

    required init() {
        let friend = Friend()
        owner = friend
        super.init()
    }
}

private final class Observing: CloudDataObject {
    var changes = 0
    var name = "" {
        didSet { changes += 1 }
    }
    var size = 0 {
        willSet { changes += newValue }
    }
}

@Suite(.serialized) struct PropertyKindTests {
    @Test func `a wrapped value is kept under the property's name and written through the wrapper`() throws {
        #expect(try fieldTypes(Voucher.self) == ["percent": .int64, "note": .string, "kinds": .list(of: .string)])
        let voucher = Voucher()
        voucher.percent = 40
        voucher.note = "hello"
        voucher.kinds = [.refund]
        for loaded in [try roundTrip(voucher), try jsonRoundTrip(voucher)] {
            #expect(loaded.percent == 40 && loaded.note == "hello" && loaded.kinds == [.refund])
        }
        let clamped = try Voucher(record: record(Voucher.self, ["percent": .int64(140)]))
        #expect(clamped.percent == 100)
        #expect(try Voucher(json: #"{"percent": -5}"#).percent == 1)
        try expectLoadFailure(Voucher.self, field: "percent", .string("many"))
    }

    @Test func `a wrapper that does not conform is an error with the remedy, and may be ignored`() throws {
        let error = try cloudError(.mappingFailed) { _ = try Foreign().toRecord() }
        #expect(error.message.contains("Foreign") && error.message.contains("count"))
        #expect(error.remedy.contains("CloudPropertyWrapper"))
        let ignored = ForeignIgnored()
        ignored.title = "kept"
        #expect(try ignored.toRecord().layout.names == ["title"])
        #expect(try roundTrip(ignored).title == "kept")
    }

    @Test func `a plain name with an underscore is an error that offers to rename`() throws {
        let error = try cloudError(.mappingFailed) { _ = try Legacy().toRecord() }
        #expect(error.message.contains("Legacy") && error.message.contains("_legacy"))
        #expect(error.remedy.contains(".rename(\"_legacy\""))
        let crate = Crate()
        crate._serial = "1"
        crate.serial = "2"
        #expect(try crate.toRecord()["innerSerial"] == .string("1"))
        #expect(try crate.toRecord()["serial"] == .string("2"))
        #expect(try roundTrip(crate)._serial == "1")
        #expect(try roundTrip(crate).serial == "2")
    }

    @Test func `a rule means the property of exactly that name where there is one`() throws {
        #expect(try MappingPlan.plan(for: IgnoringCrate.self).layout.names == ["innerSerial"])
    }

    @Test func `an Observable class has the names of its properties, and no registrar`() throws {
        let plan = try MappingPlan.plan(for: Note.self)
        #expect(plan.layout.names.sorted() == ["draft", "likes", "title", "words"])
        #expect(plan.isObservable)
        #expect(try !MappingPlan.plan(for: Crate.self).isObservable)
        let note = Note()
        note.title = "seen"
        note.likes = 4
        note.draft = true
        let record = try note.toRecord()
        #expect(record.state(of: "words") == .absent)
        let loaded = try Note(record: record)
        #expect(loaded.title == "seen" && loaded.likes == 4 && loaded.draft)
        #expect(loaded.words == ["lazy"])
        #expect(try jsonRoundTrip(note).title == "seen")
    }

    @Test func `an Observable object that was loaded still notifies`() throws {
        let loaded = try Note(record: record(Note.self, ["title": .string("before")]))
        nonisolated(unsafe) var isNotified = false
        withObservationTracking {
            #expect(loaded.title == "before")
        } onChange: {
            isNotified = true
        }
        loaded.title = "after"
        #expect(isNotified)
        #expect(try loaded.toRecord()["title"] == .string("after"))
    }

    @Test func `a lazy property is never evaluated to be kept, and is stored once it was`() throws {
        Lazy.evaluations = 0
        let object = Lazy()
        #expect(try object.toRecord().knownFieldNames.isEmpty)
        _ = object.description
        _ = try object.toJSON()
        #expect(object == object)
        #expect(Lazy.evaluations == 0)
        #expect(object.text == "evaluated")
        object.number = nil
        let record = try object.toRecord()
        #expect(record["text"] == .string("evaluated"))
        #expect(record.state(of: "number") == .null)
        #expect(record.state(of: "list") == .absent)
        #expect(Lazy.evaluations == 1)
        #expect(try fieldTypes(Lazy.self) == ["text": .string, "number": .int64, "list": .list(of: .string)])
    }

    @Test func `loading fills a lazy property, and null leaves it to be evaluated`() throws {
        Lazy.evaluations = 0
        let stored = record(Lazy.self, ["text": .string("stored"), "number": nil, "list": .list([])])
        let loaded = try Lazy(record: stored)
        #expect(loaded.text == "stored" && loaded.number == nil && loaded.list == [])
        #expect(Lazy.evaluations == 0)
        let other = try Lazy(record: record(Lazy.self, ["text": nil]))
        #expect(other.text == "evaluated")
        #expect(try jsonRoundTrip(loaded).text == "stored")
        try expectLoadFailure(Lazy.self, field: "number", .string("4"))
    }

    @Test func `weak, unowned, constant, static and computed properties are left out`() throws {
        let friend = Friend()
        let object = LeftOut()
        object.friend = friend
        object.owner = friend
        object.computed = "through"
        #expect(try object.toRecord().layout.names == ["kept"])
        let loaded = try roundTrip(object)
        #expect(loaded.kept == "through" && loaded.constant == "constant" && loaded.friend == nil)
    }

    @Test func `an unowned reference to an object that is gone does no harm`() throws {
        let orphan = Orphan()
        orphan.name = "Oliver"
        #expect(try orphan.toRecord()["name"] == .string("Oliver"))
        #expect(try roundTrip(orphan).name == "Oliver")
    }

    @Test func `observers of a property do not run while it is loaded`() throws {
        let object = Observing()
        object.name = "a"
        object.size = 5
        #expect(object.changes == 6)
        let loaded = try roundTrip(object)
        #expect(loaded.name == "a" && loaded.size == 5 && loaded.changes == 6)
    }
}
