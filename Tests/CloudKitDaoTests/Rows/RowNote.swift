import CloudKitDao
import CloudKitDaoTestSupport
import Foundation

/// A class whose fields all lie in one column each; most of them are of the most frequent types.
class RowNote: CloudDataObject {
    enum Mood: String, CaseIterable { case calm, lively }

    override class var recordType: String { "RowNote" }

    var text = "initial"
    var optionalText: String? = "initial"
    var int = -1
    var optionalInt: Int? = -1
    var double = -1.5
    var optionalDouble: Double? = -1.5
    var flag = true
    var optionalFlag: Bool? = true
    var date = Date(timeIntervalSinceReferenceDate: -1)
    var optionalDate: Date? = Date(timeIntervalSinceReferenceDate: -1)
    var small: Int8 = -1
    var data = Data([255])
    var texts = ["initial"]
    var mood = Mood.lively
    var reference: CloudReference?
    var place: CloudLocation?
    private(set) var loadCount = 0

    override class var fieldRules: [FieldRule] { [.ignore("loadCount")] }

    override func didLoad() { loadCount += 1 }

    func fill(_ random: inout SeededGenerator) {
        text = Self.text(&random)
        optionalText = random.once(in: 2) ? nil : Self.text(&random)
        int = random.any([0, 1, 2, .min, .max, random.number(-1_000..<1_000)])
        optionalInt = random.once(in: 2) ? nil : random.number(-9..<9)
        double = random.any([0, -0.0, 1, .greatestFiniteMagnitude, Double(random.number(-9..<9)) / 7])
        optionalDouble = random.once(in: 2) ? nil : Double(random.number(-9..<9))
        flag = random.once(in: 2)
        optionalFlag = random.any([nil, true, false])
        date = Date(timeIntervalSinceReferenceDate: Double(random.number(-1_000_000..<1_000_000)) / 3)
        optionalDate = random.once(in: 2) ? nil : date
        small = Int8(random.number(-128..<128))
        data = Data((0..<random.number(0..<20)).map { UInt8($0) })
        texts = (0..<random.number(0..<3)).map { _ in Self.text(&random) }
        mood = random.any(Mood.allCases)
        reference = random.any([nil, CloudReference(recordID: CloudRecordID("r"), action: .deleteSelf)])
        place = random.once(in: 2) ? nil : CloudLocation(latitude: 1, longitude: Double(random.number(0..<90)))
    }

    /// Texts of all lengths around what a Swift string keeps without an allocation, ASCII and not.
    static func text(_ random: inout SeededGenerator) -> String {
        let length = random.any([0, 1, 14, 15, 16, 40, 3_000])
        return String(
            (0..<length).map { _ in random.any(["a", "Z", "0", " ", "\u{E9}", "\u{1F600}", "\u{301}"]) as Character }
        )
    }
}

/// The same records with a field more, and one that it does not read.
final class LongRowNote: RowNote {
    var more = "initial"

    override class var fieldRules: [FieldRule] {
        super.fieldRules + [.exportOnly("double"), .rename("more", to: "extra")]
    }

    override func fill(_ random: inout SeededGenerator) {
        super.fill(&random)
        more = Self.text(&random)
    }
}

/// The same records with fewer fields, one of which may hold what this class doesn't know.
final class ShortRowNote: CloudDataObject {
    enum Mood: String { case calm }

    override class var recordType: String { "RowNote" }

    var int = -1
    var mood: Mood?
    var neverSaved = "initial"
}

/// The same records with an object inside.
final class NestedRowNote: CloudDataObject {
    override class var recordType: String { "RowNote" }

    var text = "initial"
    var address: RowAddress?
    var home = RowAddress()
}

final class RowAddress: CloudEmbeddedObject {
    var street = "initial"
    var number: Int?
}
