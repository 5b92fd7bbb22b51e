import CloudRecords
import Foundation
import ObjectMapping
import Testing

private struct Opaque { var a = 0 }
private enum Plain { case a, b }
private enum Letter: Character { case a = "a" }
private protocol Named {}
private final class Plainer {}
private final class Part: CloudEmbeddedObject { var a = 0 }
private final class Other: CloudDataObject { var a = 0 }

private final class WithClosure: CloudDataObject { var action: () -> Void = {} }
private final class WithStruct: CloudDataObject { var value = Opaque() }
private final class WithOptionalStruct: CloudDataObject { var value: Opaque? }
private final class WithStructs: CloudDataObject { var values: [Opaque] = [] }
private final class WithTuple: CloudDataObject { var pair = (1, "a") }
private final class WithEnum: CloudDataObject { var plain = Plain.a }
private final class WithLetter: CloudDataObject { var letter = Letter.a }
private final class WithObject: CloudDataObject { var other: Other? }
private final class WithObjects: CloudDataObject { var others: [Other] = [] }
private final class WithOptionalObjects: CloudDataObject { var others: [Other]? }
private final class WithObjectDictionary: CloudDataObject { var byName: [String: Other] = [:] }
private final class WithParts: CloudDataObject { var parts: [Part] = [] }
private final class WithAny: CloudDataObject { var anything: Any = 1 }
private final class WithAnys: CloudDataObject { var anything: [String: Any] = [:] }
private final class WithProtocol: CloudDataObject { var named: (any Named)? }
private final class WithClass: CloudDataObject { var plainer: Plainer? }
private final class WithLazyStruct: CloudDataObject { lazy var value = Opaque() }
private final class WithPointer: CloudDataObject { var pointer: UnsafeRawPointer? }

private final class Inner: CloudEmbeddedObject { var action: () -> Void = {} }
private final class Outer: CloudDataObject { var inner = Inner() }

@Suite struct UnsupportedTypeTests {
    @Test(arguments: [
        (WithClosure.self as CloudDataObject.Type, "action", "() -> ()"), (WithStruct.self, "value", "Opaque"),
        (WithOptionalStruct.self, "value", "Opaque"), (WithStructs.self, "values", "Array<Opaque>"),
        (WithTuple.self, "pair", "(Int, String)"), (WithEnum.self, "plain", "Plain"),
        (WithLetter.self, "letter", "Letter"), (WithAny.self, "anything", "Any"),
        (WithAnys.self, "anything", "Dictionary<String, Any>"), (WithProtocol.self, "named", "Named"),
        (WithClass.self, "plainer", "Plainer"), (WithLazyStruct.self, "value", "Opaque"),
        (WithPointer.self, "pointer", "UnsafeRawPointer"),
    ])
    func `a type without a mapping is an error that names class, property, type and remedy`(
        type: CloudDataObject.Type,
        property: String,
        typeName: String
    ) throws {
        let error = try cloudError(.mappingFailed) { _ = try type.init().toRecord() }
        #expect(error.message.contains("\(type)"))
        #expect(error.message.contains(property))
        #expect(error.message.contains(typeName))
        #expect(error.remedy.contains(".ignore(\"\(property)\")") && error.remedy.contains("Codable"))
        #expect(throws: CloudError.self) { try type.init().fill(from: CloudRecord(recordType: "x")) }
        #expect(throws: CloudError.self) { try type.init().toJSON() }
    }

    @Test(arguments: [
        (WithObject.self as CloudDataObject.Type, "other"), (WithObjects.self, "others"),
        (WithOptionalObjects.self, "others"), (WithObjectDictionary.self, "byName"), (WithParts.self, "parts"),
    ])
    func `objects with records of their own, and lists of objects, are errors that offer references`(
        type: CloudDataObject.Type,
        property: String
    ) throws {
        let error = try cloudError(.mappingFailed) { _ = try type.init().toRecord() }
        #expect(error.message.contains("\(type)") && error.message.contains(property))
        #expect(error.remedy.contains("CloudReference"))
    }

    @Test func `the error of an embedded object names its class and the path`() throws {
        let error = try cloudError(.mappingFailed) { _ = try Outer().toRecord() }
        #expect(error.message.contains("Inner") && error.message.contains("action"))
        #expect(error.field == "inner.action")
    }

    @Test func `an object that can't be mapped still has a description and equals itself`() {
        let object = WithClosure()
        #expect(object.description.contains("action"))
        #expect(object == object)
        #expect(object != WithClosure())
    }
}
