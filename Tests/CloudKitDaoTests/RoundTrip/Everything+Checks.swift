import Foundation

extension Everything {
    /// One property, compared between two objects.
    struct Check: Sendable {
        let name: String
        let isEqual: @Sendable (Everything, Everything) -> Bool
    }

    private static func check<Value: Equatable & SendableMetatype>(
        _ name: String,
        _ read: @escaping @Sendable (Everything) -> Value
    ) -> Check {
        Check(name: name) { read($0) == read($1) }
    }

    /// A check for each property. Assets are compared by their bytes.
    static let checks: [Check] =
        inheritedAndScalarChecks + optionalChecks + listChecks + [
            check("asset") { try? $0.asset?.data() },
            check("assets") { $0.assets.map { try? $0.data() } },
            check("dimensions") { $0.dimensions },
            check("dimensionsList") { $0.dimensionsList },
            check("dictionary") { $0.dictionary },
            check("dictionaryOfLists") { $0.dictionaryOfLists },
            check("home.street") { $0.home.street },
            check("home.number") { $0.home.number },
            check("home.mood") { $0.home.mood },
            check("home.position.latitude") { $0.home.position.latitude },
            check("home.position.longitude") { $0.home.position.longitude },
            check("office") { $0.office == nil },
            check("office.street") { $0.office?.street },
            check("office.position.longitude") { $0.office?.position.longitude },
            check("percentage") { $0.percentage },
            check("computedOnce") { $0.computedOnce },
        ]

    private static let inheritedAndScalarChecks: [Check] = [
        check("grandparentText") { $0.grandparentText },
        check("grandparentNumber") { $0.grandparentNumber },
        check("parentDate") { $0.parentDate },
        check("parentTags") { $0.parentTags },
        check("text") { Array($0.text.utf8) },
        check("flag") { $0.flag },
        check("int") { $0.int },
        check("int8") { $0.int8 },
        check("int16") { $0.int16 },
        check("int32") { $0.int32 },
        check("int64") { $0.int64 },
        check("uint") { $0.uint },
        check("uint8") { $0.uint8 },
        check("uint16") { $0.uint16 },
        check("uint32") { $0.uint32 },
        check("uint64") { $0.uint64 },
        check("float") { $0.float },
        check("double") { $0.double },
        check("decimal") { $0.decimal },
        check("date") { $0.date },
        check("data") { $0.data },
        check("uuid") { $0.uuid },
        check("url") { $0.url },
        check("reference") { $0.reference },
        check("owned") { $0.owned },
        check("target") { $0.target },
        check("location") { $0.location },
        check("mood") { $0.mood },
        check("level") { $0.level },
    ]

    private static let optionalChecks: [Check] = [
        check("optionalText") { $0.optionalText },
        check("optionalFlag") { $0.optionalFlag },
        check("optionalInt") { $0.optionalInt },
        check("optionalUInt8") { $0.optionalUInt8 },
        check("optionalFloat") { $0.optionalFloat },
        check("optionalDouble") { $0.optionalDouble },
        check("optionalDecimal") { $0.optionalDecimal },
        check("optionalDate") { $0.optionalDate },
        check("optionalData") { $0.optionalData },
        check("optionalUUID") { $0.optionalUUID },
        check("optionalURL") { $0.optionalURL },
        check("optionalReference") { $0.optionalReference },
        check("optionalTarget") { $0.optionalTarget },
        check("optionalLocation") { $0.optionalLocation },
        check("optionalMood") { $0.optionalMood },
        check("optionalLevel") { $0.optionalLevel },
        check("optionalDimensions") { $0.optionalDimensions },
        check("optionalTexts") { $0.optionalTexts },
        check("optionalNumbers") { $0.optionalNumbers },
        check("optionalDictionary") { $0.optionalDictionary },
    ]

    private static let listChecks: [Check] = [
        check("texts") { $0.texts },
        check("flags") { $0.flags },
        check("numbers") { $0.numbers },
        check("bytes") { $0.bytes },
        check("doubles") { $0.doubles },
        check("dates") { $0.dates },
        check("datas") { $0.datas },
        check("uuids") { $0.uuids },
        check("urls") { $0.urls },
        check("decimals") { $0.decimals },
        check("references") { $0.references },
        check("targets") { $0.targets },
        check("locations") { $0.locations },
        check("moods") { $0.moods },
        check("levels") { $0.levels },
        check("textSet") { $0.textSet },
        check("numberSet") { $0.numberSet },
        check("moodSet") { $0.moodSet },
        check("dateSet") { $0.dateSet },
        check("referenceSet") { $0.referenceSet },
    ]
}
