import CloudKitDao
import Foundation

/// A year of messages between two users, the same ones in every run.
struct SampleConversation {
    /// 1 January 2025, 08:00 UTC.
    private static let start = Date(timeIntervalSince1970: 1_735_718_400)
    private static let minutesBetweenMessages = 262
    private static let tags = ["family", "food", "music", "travel", "work"]

    private let first: CloudRecordID
    private let second: CloudRecordID
    private let asset: CloudRecordID
    private var text = SampleText(seed: 7)
    private var generator = SampleGenerator(seed: 11)

    /// Prepares a conversation of two users, whose picture messages show an asset.
    init(between first: CloudRecordID, and second: CloudRecordID, showing asset: CloudRecordID) {
        self.first = first
        self.second = second
        self.asset = asset
    }

    /// Writes the messages, oldest first, with the record names m0001, m0002 and so on.
    mutating func messages(count: Int) -> [Message] {
        (1...count).map { message(number: $0) }
    }

    private mutating func message(number: Int) -> Message {
        let message = Message()
        message.recordID = CloudRecordID("m" + String(10_000 + number).dropFirst())
        let isFromFirst = generator.number(below: 2) == 0
        message.from = CloudReference(recordID: isFromFirst ? first : second)
        message.to = CloudReference(recordID: isFromFirst ? second : first)
        let minutes = number * Self.minutesBetweenMessages + generator.number(below: Self.minutesBetweenMessages)
        message.sentAt = Self.start.addingTimeInterval(Double(minutes) * 60)
        fillContent(of: message)
        if generator.number(below: 10) < 6 { message.likes = generator.number(below: 10) }
        message.tags = Self.tags.filter { _ in generator.number(below: 5) == 0 }
        return message
    }

    /// Of ten messages about seven are text, two pictures, and one is a location.
    private mutating func fillContent(of message: Message) {
        switch generator.number(below: 10) {
        case 0:
            let town = generator.element(of: SamplePlaces.towns, otherwise: SamplePlaces.home)
            message.kind = .location
            message.text = "I am in \(town.name)."
            message.place = town.location
        case 1, 2:
            message.kind = .picture
            message.text = "A picture for you."
            // The asset need not exist yet: a reference is only the name of a record.
            message.asset = CloudReference(recordID: asset)
        default:
            message.text = text.sentence()
        }
    }
}
