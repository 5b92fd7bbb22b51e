import CloudKitDao
import Foundation

/// The root of three generations of classes.
class Grandparent: CloudDataObject {
    var grandparentText = ""
    var grandparentNumber: Int?
}

class Parent: Grandparent {
    var parentDate = Date(timeIntervalSinceReferenceDate: 0)
    var parentTags: [String] = []
}

/// A class with a property of each kind that is mapped.
final class Everything: Parent {
    enum Mood: String, CaseIterable { case calm, lively, stormy }
    enum Level: Int {
        case low = -1
        case middle = 0
        case high = 9
    }

    struct Dimensions: Codable, Hashable {
        var width = 0.0
        var height: Double?
        var labels: [String] = []
    }

    // Scalars.
    var text = ""
    var flag = false
    var int = 0
    var int8: Int8 = 0
    var int16: Int16 = 0
    var int32: Int32 = 0
    var int64: Int64 = 0
    var uint: UInt = 0
    var uint8: UInt8 = 0
    var uint16: UInt16 = 0
    var uint32: UInt32 = 0
    var uint64: UInt64 = 0
    var float: Float = 0
    var double = 0.0
    var decimal = Decimal(0)
    var date = Date(timeIntervalSinceReferenceDate: 0)
    var data = Data()
    var uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    var url = URL(filePath: "/")

    // What only a cloud database knows.
    var reference = CloudReference(recordID: CloudRecordID("nobody"))
    var owned = CloudReference(recordID: CloudRecordID("nobody"))
    var target = CloudRecordID("nobody")
    var location = CloudLocation(latitude: 0, longitude: 0)

    // Enums.
    var mood = Mood.calm
    var level = Level.middle

    // Optionals.
    var optionalText: String?
    var optionalFlag: Bool?
    var optionalInt: Int?
    var optionalUInt8: UInt8?
    var optionalFloat: Float?
    var optionalDouble: Double?
    var optionalDecimal: Decimal?
    var optionalDate: Date?
    var optionalData: Data?
    var optionalUUID: UUID?
    var optionalURL: URL?
    var optionalReference: CloudReference?
    var optionalTarget: CloudRecordID?
    var optionalLocation: CloudLocation?
    var optionalMood: Mood?
    var optionalLevel: Level?
    var optionalDimensions: Dimensions?
    var optionalTexts: [String]?
    var optionalNumbers: Set<Int>?
    var optionalDictionary: [String: Int]?
    var asset: CloudAsset?

    // Lists.
    var texts: [String] = []
    var flags: [Bool] = []
    var numbers: [Int] = []
    var bytes: [UInt8] = []
    var doubles: [Double] = []
    var dates: [Date] = []
    var datas: [Data] = []
    var uuids: [UUID] = []
    var urls: [URL] = []
    var decimals: [Decimal] = []
    var references: [CloudReference] = []
    var targets: [CloudRecordID] = []
    var locations: [CloudLocation] = []
    var moods: [Mood] = []
    var levels: [Level] = []
    var assets: [CloudAsset] = []

    // Sets.
    var textSet: Set<String> = []
    var numberSet: Set<Int> = []
    var moodSet: Set<Mood> = []
    var dateSet: Set<Date> = []
    var referenceSet: Set<CloudReference> = []

    // JSON.
    var dimensions = Dimensions()
    var dimensionsList: [Dimensions] = []
    var dictionary: [String: Int] = [:]
    var dictionaryOfLists: [String: [String]] = [:]

    // Embedded, wrapped and lazy.
    var home = Address()
    var office: Address?
    var missingOffice: Address?
    @Clamped var percentage = 0
    lazy var computedOnce = "computed"
}

/// An object inside another one's record, with one of its own.
final class Address: CloudEmbeddedObject {
    var street = ""
    var number: Int?
    var position = Position()
    var mood: Everything.Mood?
}

final class Position: CloudEmbeddedObject {
    var latitude = 0.0
    var longitude: Double?
}

/// Keeps a number within 0 and 100.
@propertyWrapper struct Clamped: CloudPropertyWrapper {
    private var value: Int
    var wrappedValue: Int {
        get { value }
        set { value = min(max(newValue, 0), 100) }
    }

    init(wrappedValue: Int) {
        value = min(max(wrappedValue, 0), 100)
    }
}
