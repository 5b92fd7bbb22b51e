import CloudRecords
import Foundation

extension CloudSubscription.NotificationInfo {
    /// Whether its texts have places for the values of fields.
    var hasArguments: Bool {
        alertLocalizationArgs?.isEmpty == false || titleLocalizationArgs?.isEmpty == false
            || subtitleLocalizationArgs?.isEmpty == false
    }

    /// Puts the values of a record's fields in the place of their names, as notifications have them.
    mutating func fillArguments(from record: CloudRecord) {
        func texts(_ names: [String]?) -> [String]? { names?.map { record[$0]?.alertText ?? "" } }
        alertLocalizationArgs = texts(alertLocalizationArgs)
        titleLocalizationArgs = texts(titleLocalizationArgs)
        subtitleLocalizationArgs = texts(subtitleLocalizationArgs)
    }
}

extension CloudValue {
    /// The value as it stands in an alert.
    fileprivate var alertText: String {
        switch self {
        case .string(let text): text
        case .reference(let reference): reference.recordID.recordName
        default: description
        }
    }
}
