import CloudKitDao
import Foundation

extension Everything {
    /// An object none of whose properties has its initial value.
    static func sample(_ recordName: String, asset: URL, otherAsset: URL) -> Everything {
        let object = Everything()
        object.recordID = CloudRecordID(recordName)
        object.fillInherited()
        object.fillScalars()
        object.fillOptionals()
        object.fillLists()
        object.asset = CloudAsset(fileURL: asset)
        object.assets = [CloudAsset(fileURL: otherAsset), CloudAsset(fileURL: asset)]
        object.fillNested()
        return object
    }

    /// A date that no number of milli- or microseconds gives.
    private static let oddDate = Date(timeIntervalSinceReferenceDate: 785_678_412.123456789)

    private func fillInherited() {
        grandparentText = "Grüße 🌍"
        grandparentNumber = -7
        parentDate = Self.oddDate
        parentTags = ["first", "", "third"]
    }

    private func fillScalars() {
        // A decomposed e with an accent, which Swift takes for equal to the composed one.
        text = "line\nbreak \"quotes\" 'n' e\u{301} \u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467} %@ \\"
        flag = true
        int = .min
        int8 = .min
        int16 = .max
        int32 = .min
        int64 = .max
        uint = UInt(Int.max)
        uint8 = .max
        uint16 = .max
        uint32 = .max
        uint64 = UInt64(Int64.max)
        float = 0.1
        double = 0.1 + 0.2
        decimal = Decimal(string: "-12345678901234567890.0123456789") ?? 1
        date = Date(timeIntervalSinceReferenceDate: -63_113_904_000.25)
        data = Data((0...255).map { UInt8($0) })
        uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255))
        url = URL(string: "https://example.org/a%20b?x=1&y=%2F#top") ?? url
        reference = CloudReference(recordID: CloudRecordID("friend"))
        owned = CloudReference(recordID: CloudRecordID("owner/of it?x=1"), action: .deleteSelf)
        target = CloudRecordID("target", zone: CloudZoneID("notes"))
        location = CloudLocation(
            latitude: 52.1,
            longitude: -4.3,
            altitude: 12.5,
            horizontalAccuracy: 3,
            verticalAccuracy: 4,
            course: 180,
            speed: 1.5,
            timestamp: Self.oddDate
        )
        mood = .stormy
        level = .high
    }

    private func fillOptionals() {
        optionalText = ""
        optionalFlag = false
        optionalInt = 0
        optionalUInt8 = 0
        optionalFloat = 0
        optionalDouble = .leastNonzeroMagnitude
        optionalDecimal = 0
        optionalDate = Date(timeIntervalSinceReferenceDate: 0)
        optionalData = Data()
        optionalUUID = uuid
        optionalURL = URL(string: "relative/path")
        optionalReference = CloudReference(recordID: CloudRecordID("someone"), action: .deleteSelf)
        optionalTarget = CloudRecordID("someone")
        optionalLocation = CloudLocation(latitude: -90, longitude: 180)
        optionalMood = .calm
        optionalLevel = .middle
        optionalDimensions = Dimensions(width: 1.5, height: nil, labels: ["a"])
        optionalTexts = []
        optionalNumbers = [3, 1, 2]
        optionalDictionary = ["one": 1]
    }

    private func fillLists() {
        texts = ["b", "a", "", "ü", "a"]
        flags = [true, false, true]
        numbers = [.max, .min, 0]
        bytes = [0, 255]
        doubles = [0.1, -1e300, 5]
        dates = [Self.oddDate, Date(timeIntervalSinceReferenceDate: 0)]
        datas = [Data([0, 1]), Data()]
        uuids = [uuid, UUID()]
        urls = [url]
        decimals = [Decimal(string: "0.1") ?? 1, 3]
        references = [owned, reference]
        targets = [target, CloudRecordID("other")]
        locations = [location, CloudLocation(latitude: 1, longitude: 2)]
        moods = [.stormy, .calm, .stormy]
        levels = [.high, .low]
        textSet = ["x", "y", "ß"]
        numberSet = [5, -5, 50]
        moodSet = [.calm, .lively]
        dateSet = [Self.oddDate, Date(timeIntervalSinceReferenceDate: 1)]
        referenceSet = [owned, reference]
    }

    private func fillNested() {
        dimensions = Dimensions(width: 2, height: 3, labels: ["wide", "\"high\""])
        dimensionsList = [Dimensions(), Dimensions(width: 1, height: 2, labels: [])]
        dictionary = ["a": 1, "b c": -2]
        dictionaryOfLists = ["": [], "x": ["y", "z"]]
        home.street = "Hauptstraße"
        home.number = 12
        home.position.latitude = 48.2
        home.position.longitude = 16.4
        home.mood = .lively
        office = Address()
        office?.street = "Ring"
        office?.position.longitude = -1
        percentage = 77
        computedOnce = "assigned"
    }
}
