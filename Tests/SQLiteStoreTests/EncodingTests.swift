import CloudRecords
import Foundation
import SQLStore
import Testing

@Suite("Encodings")
struct Encodings {
    @Test(
        "SHA-256 gives the known answers",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                String(repeating: "a", count: 1_000_000),
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
            ),
        ]
    )
    func hashing(text: String, digest: String) {
        for piece in [1, 3, 63, 64, 65, 1_000_000] where text.utf8.count <= 64 || piece > 3 {
            var hasher = SHA256Hasher()
            let bytes = Array(text.utf8)
            for start in stride(from: 0, to: bytes.count, by: piece) {
                bytes[start..<min(start + piece, bytes.count)].withUnsafeBytes { hasher.update($0) }
            }
            #expect(hasher.hexadecimalDigest() == digest)
        }
    }

    @Test("Every length around a block is hashed right")
    func hashingLengths() {
        // The digest of the digests of 0 to 130 bytes, computed with Python's hashlib.
        var all = SHA256Hasher()
        for length in 0...130 {
            var hasher = SHA256Hasher()
            [UInt8](repeating: 0x61, count: length).withUnsafeBytes { hasher.update($0) }
            Array(hasher.hexadecimalDigest().utf8).withUnsafeBytes { all.update($0) }
        }
        #expect(all.hexadecimalDigest() == "5eee4c50e1b5ec4f1a47f34c25ca988850b49da7904f5ab1b3abc5cc0ae66ef9")
    }

    @Test(
        "Dates of other tools are read",
        arguments: [
            ("2001-01-01", 0.0), ("2001-01-01T00:00:00Z", 0), ("2001-01-02 00:00:00", 86_400),
            ("2001-01-01T01:00:00+01:00", 0), ("2001-01-01T00:00-0130", 5_400), ("2001-01-01t00:00:00.25z", 0.25),
            ("1970-01-01T00:00:00Z", -978_307_200), ("2024-02-29T12:34:56Z", 730_902_896),
            ("0001-01-01", -63_113_904_000), ("2000-02-29", -26_524_800), ("2001-01-01T00:00:00.5+02", -7_199.5),
        ]
    )
    func dates(text: String, seconds: Double) {
        #expect(ISO8601Text.date(of: text) == Date(timeIntervalSinceReferenceDate: seconds))
    }

    @Test(
        "What is no date is none",
        arguments: [
            "", "now", "2001", "2001-1-1", "2001-13-01", "2001-02-29", "1900-02-29", "2001-01-01T",
            "2001-01-01T24:00:00Z",
            "2001-01-01T00:60", "2001-01-01T00:00:00.Z", "2001-01-01T00:00:00+", "2001-01-01T00:00:00Zx", "2001-01-01 ",
            "2001-01-01T00:00:00+01:", "2001-01-01T00:00:00 ", "²001-01-01",
        ]
    )
    func noDates(text: String) {
        #expect(ISO8601Text.date(of: text) == nil)
    }

    @Test(
        "JSON that is written is read the same",
        arguments: [
            JSONText.null, .bool(true), .integer(.min), .integer(.max), .real(0.1), .real(1), .real(-1e300),
            .real(.leastNonzeroMagnitude), .text("\"\\\u{0}\u{1F}\n\u{1F600}é"), .array([]),
            .array([.array([.null, .text("")]), .integer(0)]),
        ]
    )
    func json(value: JSONText) {
        #expect(JSONText(decoding: value.encoded) == value)
    }

    @Test(
        "JSON of other tools is read",
        arguments: [
            (" [ 1 , 2.5e1 ] ", JSONText.array([.integer(1), .real(25)])),
            ("\"\\u00e9\\ud83d\\ude00\\/\"", .text("é\u{1F600}/")),
            ("123456789012345683968", .real(0x1.ac53a7e04bcdap+66)),
        ]
    )
    func foreignJSON(text: String, value: JSONText) {
        #expect(JSONText(decoding: text) == value)
    }

    @Test(
        "What is no JSON is none",
        arguments: [
            "", "[", "]", "[1,]", "[1 2]", "nul", "\"", "\"\\x\"", "\"\\u12\"", "\"\\ud83d\"", "{\"a\":1}", "1 2", "-",
            "1e",
            String(repeating: "[", count: 100_000),
        ]
    )
    func noJSON(text: String) {
        #expect(JSONText(decoding: text) == nil)
    }

    @Test("Change tags are the sequence to the base of 36", arguments: [1, 35, 36, 123_456_789, Int64.max])
    func changeTags(sequence: Int64) {
        #expect(ChangeTag.text(sequence) == String(sequence, radix: 36))
        #expect(ChangeTag.sequence(ChangeTag.text(sequence)) == sequence)
    }

    @Test("IDs of all zones come back from their text")
    func references() {
        let ids = [
            CloudRecordID("a"), CloudRecordID("a b~!"), CloudRecordID("a", zone: CloudZoneID("z")),
            CloudRecordID("a", zone: CloudZoneID("z", ownerName: "o")),
        ]
        for id in ids { #expect(ReferenceText.decode(ReferenceText.encode(id)) == id) }
        #expect(ReferenceText.encode(CloudRecordID("name")) == "name")
    }
}
