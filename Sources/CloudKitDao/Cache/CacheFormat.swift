import CloudRecords
import Foundation

/// The form of a cache file, version 1.
///
/// Numbers are little-endian. A *count* is a varint: seven bits a byte, least significant first, the top bit set where
/// more follow. A *text* is a count of bytes and that many bytes of UTF-8. A *date* is the bit pattern of the seconds
/// since 2001-01-01 00:00 UTC as a double, so that it is exact.
///
/// | bytes | what |
/// |---|---|
/// | 8 | the letters `CKDCACHE` |
/// | 4 | the version, 1 |
/// | 4 | flags: bit 0 is set if the records are all that match |
/// | 8 | the number of bytes that follow this head |
/// | 8 | the checksum of those bytes, XXH64 with the seed version × 2³² + flags |
///
/// Then follow
/// 1. four texts that say whose records these are: container, database, user, filter
/// 2. the date when the file was written
/// 3. a count of zones, each two texts: name and owner. They are referred to by their number from 1; 0 is the default zone
/// 4. a count of users, each a text and a zone. They are referred to by their number from 1; 0 is nobody
/// 5. a count of layouts, each the record type as a text, a count of fields, and the name of each field as a text
/// 6. a count of records
///
/// A record is: the count that is its layout's number from 0; its name as a text; its zone; a byte with bit 0 set for a
/// creation date, bit 1 for a modification date, bit 2 for a change tag; those of the three that are there, the tag as
/// a text; the creator and the last modifier as users; then the fields in the layout's order.
///
/// A field is a byte and what it calls for:
///
/// | byte | field |
/// |---|---|
/// | 0 | absent |
/// | 1 | null |
/// | 2 | string: a text |
/// | 3 | int64: eight bytes |
/// | 4 | double: the eight bytes of its bit pattern |
/// | 5 | date |
/// | 6 | bytes: a count and the bytes |
/// | 7 | location: seven doubles (latitude, longitude, altitude, horizontal and vertical accuracy, course, speed), a byte that is 1 if a date follows, the date |
/// | 8 | reference: the target's name as a text, its zone, a byte that is 1 for `deleteSelf` |
/// | 9 | asset: the name of its file, as a text, in the folder beside the cache file whose name ends in `.assets` |
/// | 10 | list: a count of elements, each as a field |
///
/// Fields are found by name: a class may have lost and gained properties since.
enum CacheFormat {
    static let magic = Array("CKDCACHE".utf8)
    static let version: UInt32 = 1
    static let headSize = 32
    static let isCompleteFlag: UInt32 = 1

    enum FieldTag {
        static let absent: UInt8 = 0
        static let null: UInt8 = 1
        static let string: UInt8 = 2
        static let int64: UInt8 = 3
        static let double: UInt8 = 4
        static let date: UInt8 = 5
        static let bytes: UInt8 = 6
        static let location: UInt8 = 7
        static let reference: UInt8 = 8
        static let asset: UInt8 = 9
        static let list: UInt8 = 10
    }

    enum SystemBit {
        static let creationDate: UInt8 = 1
        static let modificationDate: UInt8 = 2
        static let changeTag: UInt8 = 4
    }

    static func checksum(of body: UnsafeRawBufferPointer, version: UInt32, flags: UInt32) -> UInt64 {
        Checksum.of(body, seed: UInt64(version) << 32 | UInt64(flags))
    }
}

/// What a cache file holds.
package struct CacheContent: Sendable {
    package var records: [CloudRecord]
    /// Whether the records are all that match.
    package var isComplete: Bool
    package var date: Date

    package init(records: [CloudRecord], isComplete: Bool, date: Date = Date()) {
        self.records = records
        self.isComplete = isComplete
        self.date = date
    }
}

/// Whose records a cache file holds.
package struct CacheKey: Sendable, Hashable {
    package var container: String
    package var database: String
    package var user: String
    package var filter: String

    package init(container: String, database: String, user: String, filter: String) {
        self.container = container
        self.database = database
        self.user = user
        self.filter = filter
    }

    var parts: [String] { [container, database, user, filter] }
}
