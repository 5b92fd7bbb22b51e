import CloudRecords
import Foundation
import ObjectMapping
import Testing

private final class Note: CloudDataObject {
    var text = ""
    var subject: String?
    var likes = 0
    var stars: Int?
    var isRead: Bool?
    var isOpen = false
    var tags: [String] = []
    var price: Decimal = 0
    var place: Spot?
}

private final class Spot: CloudEmbeddedObject {
    var name = ""
    var floor: Int?
    var isKnown = false
    var isSafe: Bool?
    var words: [String] = []
    var inner: Room?
}

private final class Room: CloudEmbeddedObject {
    var door = ""
    var size: Int?
}

/// A `#Predicate` means in a store what it means in Swift.
@Suite struct FoundationPredicateMeaningTests {
    /// Objects with all the values that the predicates tell apart.
    private static func notes() -> [Note] {
        var notes: [Note] = []
        for number in 0..<48 {
            let note = Note()
            note.recordID = CloudRecordID("n\(number)")
            note.text = ["", "Hello", "x"][number % 3]
            note.subject = [nil, "", "Hello", "xyz"][number % 4]
            note.likes = number % 7
            note.stars = [nil, 0, 1, 4, 5][number % 5]
            note.isRead = [nil, true, false][number / 2 % 3]
            note.isOpen = number % 2 == 0
            note.tags = [[], ["x"], ["a", "x"]][number / 3 % 3]
            if number % 4 != 0 {
                let spot = Spot()
                spot.name = ["", "x", "y"][number / 4 % 3]
                spot.floor = [nil, 1, 5][number / 2 % 3]
                spot.isKnown = number % 3 == 0
                spot.isSafe = [nil, true, false][number % 3]
                spot.words = number % 5 == 0 ? [] : ["x"]
                if number % 3 != 0 {
                    spot.inner = Room()
                    spot.inner?.door = ["x", "y"][number % 2]
                    spot.inner?.size = [nil, 3][number / 2 % 2]
                }
                note.place = spot
            }
            notes.append(note)
        }
        return notes
    }

    private func expectAgreement(
        _ predicates: [Predicate<Note>],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let notes = Self.notes()
        for (index, predicate) in predicates.enumerated() {
            let stored = try ObjectPredicate(predicate).predicate
            let compiled = try CompiledPredicate(stored)
            let inSwift = try notes.filter { try predicate.evaluate($0) }.map(\.recordID.recordName)
            let inStore = try notes.filter { compiled.matches(try $0.toRecord()) }.map(\.recordID.recordName)
            #expect(inSwift == inStore, "predicate \(index): \(stored)", sourceLocation: sourceLocation)
            #expect(
                !inSwift.isEmpty && inSwift.count < notes.count,
                "predicate \(index)",
                sourceLocation: sourceLocation
            )
        }
    }

    @Test func `ranges`() throws {
        let halfOpen = 1..<5
        let closed = 1...5
        let up = 3...
        let below = ..<3
        let through = ...3
        try expectAgreement([
            #Predicate { (1..<5).contains($0.likes) },
            #Predicate { (1...5).contains($0.likes) },
            #Predicate { halfOpen.contains($0.likes) },
            #Predicate { closed.contains($0.likes) },
            #Predicate { !(1..<5).contains($0.likes) },
            #Predicate { (1..<5).contains($0.stars ?? 0) },
            #Predicate { (1..<5).contains($0.stars ?? 2) },
            #Predicate { !(0..<5).contains($0.stars ?? 7) },
        ])
        let partial: [Predicate<Note>] = [
            #Predicate { up.contains($0.likes) }, #Predicate { below.contains($0.likes) },
            #Predicate { through.contains($0.likes) },
        ]
        try expectAgreement(partial)
        #expect(
            try ObjectPredicate(#Predicate<Note> { (1..<5).contains($0.likes) }).predicate
                == (\Note.likes >= 1 && \Note.likes < 5).predicate
        )
    }

    @Test func `constants that are calculated`() throws {
        let number = 2
        let none: Int? = nil
        let names = ["x"]
        try expectAgreement([
            #Predicate { $0.likes != -2 + 4 },
            #Predicate { $0.likes > number + 1 },
            #Predicate { $0.likes > -(-number) },
            #Predicate { $0.likes == 7 / number },
            #Predicate { $0.likes == 7 % number },
            #Predicate { (-5...2).contains($0.likes) },
            #Predicate { ($0.stars ?? -1) == -1 },
            #Predicate { ($0.stars ?? -1) < -number + 2 },
            #Predicate { $0.likes > (none ?? 3) },
            #Predicate { $0.likes > names.count },
            #Predicate { $0.isOpen && number == 2 },
            #Predicate { $0.isOpen || number == 3 },
            #Predicate { $0.isOpen || names.contains("y") },
        ])
    }

    @Test func `a constant that does not fit into its type is an error`() throws {
        let most = Int.max
        let least = Int.min
        let zero = 0
        for predicate: Predicate<Note> in [
            #Predicate { $0.likes > most + 1 }, #Predicate { $0.likes > least - 1 }, #Predicate { $0.likes > most * 2 },
            #Predicate { $0.likes > -least }, #Predicate { $0.likes > 1 / zero }, #Predicate { $0.likes > 1 % zero },
        ] {
            let error = try cloudError(.invalidArguments) { _ = try ObjectPredicate(predicate) }
            #expect(error.message.contains("does not fit"))
        }
        let negative = try ObjectPredicate(#Predicate<Note> { $0.likes == -2 }).predicate
        #expect(negative == (\Note.likes == -2).predicate)
    }

    @Test func `isEmpty of text`() throws {
        try expectAgreement([
            #Predicate { $0.text.isEmpty },
            #Predicate { !$0.text.isEmpty },
            #Predicate { $0.text.isEmpty == false },
            #Predicate { ($0.subject ?? "").isEmpty },
            #Predicate { !($0.subject ?? "x").isEmpty },
            #Predicate { $0.subject?.isEmpty == true },
            #Predicate { $0.subject?.isEmpty == false },
            #Predicate { $0.subject?.isEmpty != true },
            #Predicate { $0.subject?.isEmpty != false },
            #Predicate { $0.subject?.isEmpty ?? true },
            #Predicate { $0.subject?.isEmpty ?? false },
            #Predicate { !($0.subject?.isEmpty ?? false) },
            #Predicate { $0.place?.name.isEmpty ?? true },
        ])
    }

    @Test func `Bool properties with a value for nil`() throws {
        try expectAgreement([
            #Predicate { $0.isRead ?? true },
            #Predicate { $0.isRead ?? false },
            #Predicate { !($0.isRead ?? true) },
            #Predicate { $0.isRead == true },
            #Predicate { $0.isRead != true },
            #Predicate { $0.isRead == nil },
            #Predicate { ($0.isRead ?? false) == false },
            #Predicate { $0.isRead ?? $0.isOpen },
            #Predicate { $0.isRead ?? ($0.likes > 2) },
            #Predicate { $0.place?.isSafe ?? true },
            #Predicate { $0.place?.isSafe ?? false },
            #Predicate { $0.place?.isKnown ?? true },
            #Predicate { $0.place?.isKnown == true },
        ])
    }

    @Test func `optional chaining`() throws {
        try expectAgreement([
            #Predicate { $0.place?.name == "x" },
            #Predicate { $0.place?.name != "x" },
            #Predicate { $0.place?.name == nil },
            #Predicate { $0.place?.floor == nil },
            #Predicate { $0.place?.floor != nil },
            #Predicate { $0.place?.floor == 5 },
            #Predicate { ($0.place?.floor ?? 9) > 3 },
            #Predicate { ($0.place?.floor ?? 0) > 3 },
            #Predicate { $0.place?.inner?.door == "x" },
            #Predicate { $0.place?.inner?.size == nil },
            #Predicate { ($0.place?.inner?.size ?? 0) == 0 },
            #Predicate { $0.place?.words.contains("x") ?? false },
            #Predicate { $0.place?.words.contains("x") ?? true },
            #Predicate { $0.place?.words.contains("x") == true },
            #Predicate { $0.place?.words.contains("x") != true },
            #Predicate { $0.subject?.contains("ell") ?? false },
            #Predicate { $0.subject?.starts(with: "x") ?? true },
            #Predicate { $0.subject.flatMap { !$0.contains("ell") } ?? false },
            #Predicate { $0.subject.flatMap { !$0.contains("ell") } ?? true },
            #Predicate { $0.stars.flatMap { $0 != 4 } ?? false },
            #Predicate { $0.stars.flatMap { $0 != 4 } == false },
        ])
        let letBound: [Predicate<Note>] = [
            #Predicate { if let stars = $0.stars { stars > 3 } else { true } },
            #Predicate { if let stars = $0.stars { stars > 3 } else { $0.likes > 3 } },
        ]
        try expectAgreement(letBound)
    }

    @Test func `values in the place of nil, membership and choices`() throws {
        let some = [1, 4]
        try expectAgreement([
            #Predicate { ($0.stars ?? 0) != 4 },
            #Predicate { ($0.stars ?? 4) != 4 },
            #Predicate { !(($0.stars ?? 4) == 4) },
            #Predicate { ($0.subject ?? "xyz").starts(with: "x") },
            #Predicate { ($0.subject ?? "").contains("ell") },
            #Predicate { some.contains($0.stars ?? 4) },
            #Predicate { some.contains($0.stars ?? 0) },
            #Predicate { !some.contains($0.stars ?? 4) },
            #Predicate { $0.isOpen ? $0.likes > 3 : $0.text == "x" },
        ])
        let withNil: [Int?] = [1, nil]
        let nilAmong: [Predicate<Note>] = [
            #Predicate { withNil.contains($0.stars) }, #Predicate { !withNil.contains($0.stars) },
        ]
        try expectAgreement(nilAmong)
    }

    @Test func `an expression that no store can look for is named in words`() throws {
        func message(_ predicate: Predicate<Note>) throws -> String {
            try cloudError(.unsupported) { _ = try ObjectPredicate(predicate) }.message
        }
        #expect(try message(#Predicate { $0.likes + 1 > 3 }).contains("arithmetic"))
        #expect(try message(#Predicate { $0.stars! > 3 }).contains("a forced unwrap (!)"))
        #expect(try message(#Predicate { $0.tags.contains { $0 == "x" } }).contains("contains(where:)"))
        #expect(try message(#Predicate { $0.tags.allSatisfy { $0 == "x" } }).contains("allSatisfy(_:)"))
        #expect(try message(#Predicate { $0.likes % 2 == 0 }).contains("a remainder (%)"))
        #expect(try message(#Predicate { -$0.likes > 3 }).contains("a minus sign"))
        #expect(try message(#Predicate { $0.tags[0] == "x" }).contains("an index into a list"))
        #expect(try message(#Predicate { $0.text.contains($0.text) }).contains("contains(_:)"))
        #expect(try message(#Predicate { ($0.stars ?? $0.likes) > 3 }).contains("??"))
        #expect(try message(#Predicate { $0.price > 3 }).contains("kept as text"))
        for predicate: Predicate<Note> in [#Predicate { $0.likes + 1 > 3 }, #Predicate { $0.stars! > 3 }] {
            #expect(try !message(predicate).contains("PredicateExpressions"))
        }
        #expect(try message(#Predicate { $0.tags.isEmpty }).contains("field tags"))
        #expect(try message(#Predicate { $0.subject?.count == 3 }).contains("field subject"))
    }
}
