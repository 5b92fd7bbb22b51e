import Foundation

/// The ten properties as the standard library's coding maps them.
final class CodableSample: Codable {
    var title = ""
    var category = ""
    var body = ""
    var count = 0
    var rank = 0
    var score = 0.0
    var takenAt = Date(timeIntervalSinceReferenceDate: 0)
    var isChecked = false
    var remark: String?
    var rating: Int?

    init(_ sample: Sample) {
        title = sample.title
        category = sample.category
        body = sample.body
        count = sample.count
        rank = sample.rank
        score = sample.score
        takenAt = sample.takenAt
        isChecked = sample.isChecked
        remark = sample.remark
        rating = sample.rating
    }
}
