import CloudKitDao
import Foundation

/// The object that mapping is measured with: ten properties of the most frequent types.
final class Sample: CloudDataObject {
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

    static func numbered(_ number: Int) -> Sample {
        let reading = Reading.numbered(number)
        let sample = Sample()
        sample.recordID = reading.recordID
        sample.title = reading.title
        sample.category = reading.category
        sample.body = reading.body
        sample.count = reading.count
        sample.rank = reading.rank
        sample.score = reading.score
        sample.takenAt = reading.takenAt
        sample.isChecked = reading.isChecked
        sample.remark = reading.remark
        sample.rating = number.isMultiple(of: 3) ? nil : number
        return sample
    }
}
