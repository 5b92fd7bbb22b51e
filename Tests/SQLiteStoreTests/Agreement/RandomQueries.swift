import CloudRecords
import Foundation

/// Makes predicates and orders by chance over a record type, with values that its records have.
struct RandomQueries {
    typealias Node = CloudPredicate.Node
    typealias Field = RandomRecords.Field

    var random: RandomValues
    let fields: [Field]
    let records: [CloudRecord]
    let capabilities: CloudCapabilities

    private static let comparisons: [CloudPredicate.Comparison] = [
        .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
    ]
    private static let options: [TextOptions] = [
        [], [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
    ]

    // MARK: Predicates

    mutating func node(depth: Int = 4) -> Node {
        let kind = random.generator.number(0..<(depth > 0 ? 12 : 6))
        switch kind {
        case 0: return systemTerm()
        case 6, 7: return .and((0..<random.generator.number(0..<4)).map { _ in node(depth: depth - 1) })
        case 8, 9: return .or((0..<random.generator.number(0..<4)).map { _ in node(depth: depth - 1) })
        case 10: return .not(node(depth: depth - 1))
        case 11:
            switch random.generator.number(0..<4) {
            case 0: return .everything
            case 1: return .nothing
            default: return capabilities.supported.contains(.tokenSearch) ? .tokens(words()) : .everything
            }
        default:
            let field = random.generator.once(in: 20) ? RandomRecords.unknownField : random.generator.any(fields)
            return term(field)
        }
    }

    private mutating func term(_ field: Field) -> Node {
        switch field.type {
        case .list(of: let element):
            let elements = field.values.flatMap { $0.listValue ?? [] }
            switch random.generator.number(0..<5) {
            case 0: return .compare(field: field.name, equality(), random.generator.any(field.values))
            case 1: return random.generator.once(in: 3) ? .oneOf(field: field.name, values(field)) : nilTest(field.name)
            case 2:
                return .contains(
                    field: field.name,
                    value(among: elements, element ?? .string),
                    element == .string ? options() : []
                )
            default:
                let inner = Field(name: field.name, type: element ?? .string, values: elements)
                return .quantified(
                    random.generator.any([.any, .all, .none]),
                    field: field.name,
                    elementNode(inner, depth: 2)
                )
            }
        case .location:
            switch random.generator.number(0..<5) {
            case 0: return nilTest(field.name)
            case 1: return .oneOf(field: field.name, values(field))
            case 2, 3: if capabilities.supported.contains(.distanceQueries) { return near(field) }
            default: break
            }
            return .compare(field: field.name, equality(), value(field))
        case .reference:
            switch random.generator.number(0..<4) {
            case 0: return nilTest(field.name)
            case 1: return .oneOf(field: field.name, values(field))
            default: return .compare(field: field.name, equality(), value(field))
            }
        case .string: return textTerm(field)
        default: return orderedTerm(field)
        }
    }

    private mutating func orderedTerm(_ field: Field) -> Node {
        switch random.generator.number(0..<6) {
        case 0: .between(field: field.name, value(field), value(field))
        case 1: .oneOf(field: field.name, values(field))
        case 2: nilTest(field.name)
        default: .compare(field: field.name, random.generator.any(Self.comparisons), value(field))
        }
    }

    private mutating func textTerm(_ field: Field) -> Node {
        switch random.generator.number(0..<9) {
        case 0: return .beginsWith(field: field.name, slice(of: text(field)), options())
        case 1: return .endsWith(field: field.name, slice(of: text(field)), options())
        case 2: return .contains(field: field.name, .string(slice(of: text(field))), options())
        case 3, 4: return .like(field: field.name, pattern(of: text(field)), options())
        case 5, 6:
            return .compare(
                field: field.name,
                random.generator.any(Self.comparisons),
                .string(cased(text(field))),
                options()
            )
        default: return orderedTerm(field)
        }
    }

    /// A node about an element of a list.
    private mutating func elementNode(_ field: Field, depth: Int) -> Node {
        switch random.generator.number(0..<(depth > 0 ? 9 : 6)) {
        case 6: .and((0..<2).map { _ in elementNode(field, depth: depth - 1) })
        case 7: .or((0..<2).map { _ in elementNode(field, depth: depth - 1) })
        case 8: .not(elementNode(field, depth: depth - 1))
        default: term(field)
        }
    }

    private mutating func near(_ field: Field) -> Node {
        let place = random.generator.once(in: 3) ? random.location() : (value(field).locationValue ?? random.location())
        let metres = random.generator.any([0, 1, 2, 10_000, 20_000, 1e6, 1e7, 2e7, 3e7, -1, 1e300])
        return .near(field: field.name, place, metres: metres)
    }

    private mutating func systemTerm() -> Node {
        let record = random.generator.any(records)
        switch random.generator.number(0..<9) {
        case 0: return .compare(field: "recordID", random.generator.any(Self.comparisons), identity(record.recordID))
        case 1:
            return .oneOf(
                field: "recordID",
                (0..<random.generator.number(0..<4)).map { _ in identity(random.generator.any(records).recordID) }
            )
        case 2:
            let other = random.generator.any(records).recordID
            return .between(field: "recordID", identity(record.recordID), identity(other))
        case 3:
            let text = slice(of: record.recordID.recordName)
            return switch random.generator.number(0..<3) {
            case 0: .beginsWith(field: "recordID", text, options())
            case 1: .endsWith(field: "recordID", text, options())
            default: .like(field: "recordID", pattern(of: record.recordID.recordName), options())
            }
        case 4:
            let name = cased(record.recordID.recordName)
            return .compare(field: "recordID", random.generator.any(Self.comparisons), .string(name), options())
        case 5:
            let user = record.lastModifiedUserRecordID.map { identity($0) }
            return .compare(
                field: random.generator.any(["creatorUserRecordID", "lastModifiedUserRecordID"]),
                equality(),
                user
            )
        case 6:
            let tag = record.recordChangeTag ?? ""
            return switch random.generator.number(0..<4) {
            case 0: .beginsWith(field: "recordChangeTag", slice(of: tag), options())
            case 1: .endsWith(field: "recordChangeTag", slice(of: tag), options())
            case 2: .like(field: "recordChangeTag", pattern(of: tag), options())
            default: .compare(field: "recordChangeTag", equality(), .string(cased(tag)), options())
            }
        case 7:
            return nilTest(random.generator.any(SystemField.allCases).rawValue)
        default:
            let dates = [record.creationDate, record.modificationDate].compactMap { $0.map(CloudValue.date) }
            let name = random.generator.any(["creationDate", "modificationDate"])
            return .compare(field: name, random.generator.any(Self.comparisons), random.generator.any(dates))
        }
    }

    private mutating func identity(_ recordID: CloudRecordID) -> CloudValue {
        switch random.generator.number(0..<6) {
        case 0: .string(recordID.recordName)
        case 1: .reference(CloudReference(recordID: random.recordID()))
        case 2: .string(random.text())
        default: .reference(CloudReference(recordID: recordID, action: random.generator.any([.none, .deleteSelf])))
        }
    }

    private mutating func nilTest(_ field: String) -> Node {
        .compare(field: field, equality(), nil)
    }

    // MARK: Values

    private mutating func equality() -> CloudPredicate.Comparison { random.generator.any([.equal, .notEqual]) }

    private mutating func options() -> TextOptions { random.generator.any(Self.options) }

    private mutating func value(_ field: Field) -> CloudValue { value(among: field.values, field.type) }

    private mutating func value(among values: [CloudValue], _ type: CloudFieldType) -> CloudValue {
        if !values.isEmpty, !random.generator.once(in: 4) { return random.generator.any(values) }
        switch (type, values.randomElement(using: &random.generator)) {
        // Numbers compare with each other: the nearest of the other type, a neighbour, or any.
        case (.int64, .int64(let number)?) where random.generator.once(in: 2):
            return random.generator.once(in: 2) ? .double(Double(number)) : .int64(number &+ 1)
        case (.double, .double(let number)?) where random.generator.once(in: 2):
            return Int64(exactly: number.rounded()).map { .int64($0 &+ random.generator.any([-1, 0, 1])) }
                ?? .double(number.nextUp.isFinite ? number.nextUp : 0)
        case (.int64, _), (.double, _): return random.value(random.generator.any([.int64, .double]))
        default: return random.value(type)
        }
    }

    private mutating func values(_ field: Field) -> [CloudValue?] {
        let count = random.generator.once(in: 8) ? 20 : random.generator.number(0..<4)
        return (0..<count).map { _ in random.generator.once(in: 6) ? nil : value(field) }
    }

    private mutating func text(_ field: Field) -> String { value(field).stringValue ?? random.text() }

    private mutating func words() -> String {
        let texts = fields.flatMap(\.values).compactMap(\.stringValue)
        guard !texts.isEmpty, !random.generator.once(in: 3) else { return random.words() }
        return random.generator.any(texts) + " " + (random.generator.once(in: 2) ? random.generator.any(texts) : "")
    }

    /// A part of a text, at times in another case.
    private mutating func slice(of text: String) -> String {
        let scalars = Array(text.unicodeScalars)
        let start = random.generator.once(in: 2) ? 0 : random.generator.number(0..<(scalars.count + 1))
        let end = random.generator.once(in: 2) ? scalars.count : random.generator.number(start..<(scalars.count + 1))
        var slice = String.UnicodeScalarView()
        slice.append(contentsOf: scalars[start..<end])
        return cased(String(slice))
    }

    private mutating func cased(_ text: String) -> String {
        switch random.generator.number(0..<6) {
        case 0: text.uppercased()
        case 1: text.lowercased()
        case 2: text.folding(options: .diacriticInsensitive, locale: nil)
        default: text
        }
    }

    /// A pattern that the text matches, apart from what it has of wildcards and backslashes itself.
    private mutating func pattern(of text: String) -> String {
        var pattern = String.UnicodeScalarView()
        for scalar in cased(text).unicodeScalars {
            switch random.generator.number(0..<8) {
            case 0: pattern.append("?")
            case 1: pattern.append("*")
            case 2: pattern.append(contentsOf: ["\\", scalar])
            default: pattern.append(scalar)
            }
        }
        if random.generator.once(in: 4) { pattern.append("*") }
        return String(pattern)
    }

    // MARK: Orders

    mutating func order() -> OrderBy {
        let sortable = fields.filter { field in
            switch field.type {
            case .string, .int64, .double, .date, .bytes, .reference: true
            case .location, .asset, .list: false
            }
        }.map(\.name)
        let system = [
            "recordID", "creationDate", "modificationDate", "creatorUserRecordID", "lastModifiedUserRecordID",
        ]
        let places = capabilities.supported.contains(.distanceQueries) ? fields.filter { $0.type == .location } : []
        var order = OrderBy.recordName
        for _ in 0..<random.generator.any([0, 1, 1, 1, 2, 2, 3]) {
            if let field = places.first, random.generator.once(in: 6) {
                order = order.distance(field.name, from: value(field).locationValue ?? random.location())
                continue
            }
            let name: String
            switch random.generator.number(0..<10) {
            case 0: name = RandomRecords.unknownField.name
            case 1, 2: name = random.generator.any(system)
            default: name = random.generator.any(sortable.isEmpty ? system : sortable)
            }
            order = random.generator.once(in: 2) ? order.ascending(name) : order.descending(name)
        }
        return order
    }
}
