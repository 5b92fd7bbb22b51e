import CloudKitDao
import Foundation

/// Step 7: files.
extension Tour {
    func sendPicture() async throws {
        let bytes = SamplePicture.png()
        try bytes.write(to: files.picture)
        say("\(files.picture.lastPathComponent) is a PNG file of \(bytes.count) bytes.")

        let asset = Asset()
        asset.recordID = Self.sunsetID
        asset.file = CloudAsset(fileURL: files.picture)
        asset.fileName = "sunset.png"
        asset.fileType = "image/png"
        let message = Message()
        message.recordID = CloudRecordID("picture")
        message.from = alice.reference
        message.to = bob.reference
        message.sentAt = Date(timeIntervalSince1970: 1_767_232_800)
        message.kind = .picture
        message.text = "The view from here"
        message.asset = CloudReference(recordID: asset.recordID)
        // Objects of different classes can be saved in one batch, here all or none of them.
        try await alice.dao.save([asset, message], atomically: true)
        remember([message])

        // The store has a copy of its own now.
        try FileManager.default.removeItem(at: files.picture)
        expectations.check("the saved object points at the store's copy", asset.file?.fileURL != files.picture)

        guard let received = try await bob.dao.fetch(Message.self, "picture"), let reference = received.asset else {
            return expectations.addSurprise("Bob did not get the picture message")
        }
        let picture = try await bob.dao.fetch(Asset.self, reference.recordID)
        let receivedBytes = try picture?.file?.data()
        say("Bob follows the reference to \(reference.recordID) and reads \(receivedBytes?.count ?? 0) bytes.")
        expectations.check("the name comes along", picture?.fileName, equals: "sunset.png")
        expectations.check("the bytes are the same", receivedBytes == bytes)

        let showing = try await bob.dao.query(Message.self, where: \.asset == reference)
        say("\(showing.count) messages show this picture; those of the import referred to it before it was there.")
        expectations.check("as many as expected", showing.count, equals: expectedCount { $0.asset == reference })
    }
}
