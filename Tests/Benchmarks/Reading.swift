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
        let reading = Reading()
        reading.title = "Reading number \(number) of the series"
        reading.category = "category \(number % 100)"
        reading.body = "wind water light sound heat dust salt rain \(number % 1_600)"
        reading.count = number
        reading.rank = number &* 7_919 % 1_000
        reading.score = Double(number) / 7
        reading.takenAt = Date(timeIntervalSinceReferenceDate: Double(number) * 60)
        reading.isChecked = number.isMultiple(of: 3)
        reading.remark = number.isMultiple(of: 2) ? nil : "remark \(number)"
        return reading
    }
}
