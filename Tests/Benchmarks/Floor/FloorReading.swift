import Foundation

/// What a hand-written program keeps of a row: a final class that no reflection and no key path touches.
final class FloorReading {
    var recordName = ""
    var createdAt = Date(timeIntervalSinceReferenceDate: 0)
    var modifiedAt = Date(timeIntervalSinceReferenceDate: 0)
    var title = ""
    var category = ""
    var body = ""
    var count = 0
    var rank = 0
    var score = 0.0
    var takenAt = Date(timeIntervalSinceReferenceDate: 0)
    var isChecked = false
    var remark: String?

    init() {}

    /// The row of the object with a number, created later than those of lower numbers.
    init(numbered number: Int) {
        let reading = Reading.numbered(number)
        recordName = reading.recordID.recordName
        createdAt = Date(timeIntervalSinceReferenceDate: 800_000_000 + Double(number) * 1e-6)
        modifiedAt = createdAt
        title = reading.title
        category = reading.category
        body = reading.body
        count = reading.count
        rank = reading.rank
        score = reading.score
        takenAt = reading.takenAt
        isChecked = reading.isChecked
        remark = reading.remark
    }

    /// Changes the same as ``Reading/change(_:)``.
    func change(_ round: Int) {
        title = "Reading \(padded(count, 7)) changed \(round)"
        count += 1
        score += 1
    }
}
