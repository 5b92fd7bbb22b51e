import CloudKitDao
import Foundation

/// The object that the benchmarks save and read: nine fields of the most frequent types.
final class Reading: CloudDataObject {
    var title = ""
    var category = ""
    var body = ""
    var count = 0
    var rank = 0
    var score = 0.0
    var takenAt = Date(timeIntervalSinceReferenceDate: 0)
    var isChecked = false
    var remark: String?

    /// The object of a number, the same in every run.
    static func numbered(_ number: Int) -> Reading {
        var random = RandomNumbers(seed: UInt64(number))
        let reading = Reading()
        reading.recordID = CloudRecordID(recordName(number))
        reading.title = "Reading \(padded(number, 7)) of them all"
        reading.category = "category \(padded(number % 100, 3))"
        reading.body = (0..<8).map { _ in Vocabulary.word(Int.random(in: 0..<Vocabulary.count, using: &random)) }
            .joined(separator: " ")
        reading.count = number
        reading.rank = Int.random(in: 0..<1_000, using: &random)
        reading.score = Double.random(in: 0..<1_000, using: &random)
        reading.takenAt = Date(timeIntervalSinceReferenceDate: Double.random(in: 0..<1e9, using: &random))
        reading.isChecked = Bool.random(using: &random)
        reading.remark = number.isMultiple(of: 2) ? nil : "remark \(number)"
        return reading
    }

    static func numbered(_ numbers: Range<Int>) -> [Reading] {
        numbers.map(numbered)
    }

    /// The name of an object's record: 36 characters in random order, as those that the framework makes.
    static func recordName(_ number: Int) -> String {
        var random = RandomNumbers(seed: ~UInt64(number))
        let (high, low) = (random.next(), random.next())
        return withUnsafeBytes(of: (high, low)) { bytes in
            UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)).uuidString
        }
    }

    /// Changes what a second save changes.
    func change(_ round: Int) {
        title = "Reading \(padded(count, 7)) changed \(round)"
        count += 1
        score += 1
    }
}

/// The words of the texts: 1600 of five letters, none of which a search ignores.
enum Vocabulary {
    static let count = 1_600

    private static let syllables = "bdfgklmn".flatMap { consonant in "aeiou".map { vowel in "\(consonant)\(vowel)" } }

    static func word(_ number: Int) -> String {
        syllables[number / 40] + syllables[number % 40] + "r"
    }
}

/// A number with zeros in front.
func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
