/// Looks for record IDs that stand in a list more than once.
package enum RecordIDs {
    /// The position of the first ID that stands before it already; nil if all are different.
    ///
    /// A set of IDs would do the same, but for large batches it takes as long as writing a third of each record.
    ///
    /// - Parameter id: The ID at a position.
    /// - Complexity: O(*n*) for *n* IDs.
    package static func firstRepeat(count: Int, _ id: (Int) -> CloudRecordID) -> Int? {
        guard count > 1 else { return nil }
        let seed = UInt64.random(in: 0 ... .max)
        var table = Table(count: count)
        for position in 0..<count {
            let recordID = id(position)
            if table.insert(position, hash: hash(recordID, seed), isSame: { id($0) == recordID }) { return position }
        }
        return nil
    }

    /// A number that differs for nearly all different IDs, and can't be foretold without the seed.
    private static func hash(_ recordID: CloudRecordID, _ seed: UInt64) -> UInt64 {
        // The copy is the string's storage, not its bytes; only a bridged string would be rewritten by withUTF8.
        var name = recordID.recordName
        var hash = name.withUTF8 { bytes in
            var hash = seed ^ UInt64(bytes.count)
            let raw = UnsafeRawBufferPointer(bytes)
            var start = 0
            while start + 8 <= raw.count {
                hash = mixed(hash ^ raw.loadUnaligned(fromByteOffset: start, as: UInt64.self), seed)
                start += 8
            }
            var rest: UInt64 = 0
            while start < raw.count {
                rest = rest << 8 | UInt64(raw[start])
                start += 1
            }
            return mixed(hash ^ rest, seed)
        }
        if !recordID.zoneID.isDefault { hash ^= UInt64(truncatingIfNeeded: recordID.zoneID.hashValue) }
        return mixed(hash, seed)
    }

    /// Spreads all bits over all others.
    private static func mixed(_ value: UInt64, _ seed: UInt64) -> UInt64 {
        let (high, low) = (value ^ seed).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return high ^ low
    }
}

/// Positions by the hashes of what stands there, in an array that is at most half full.
private struct Table {
    /// The upper half of the hash above the position counted from 1; 0 where there is none.
    private var slots: ContiguousArray<UInt64>
    private let mask: UInt64

    init(count: Int) {
        var capacity: UInt64 = 4
        while capacity < UInt64(count) * 2 { capacity *= 2 }
        slots = ContiguousArray(repeating: 0, count: Int(capacity))
        mask = capacity - 1
    }

    /// Inserts a position; true if one of the same is there already.
    mutating func insert(_ position: Int, hash: UInt64, isSame: (Int) -> Bool) -> Bool {
        let mark = hash & 0xFFFF_FFFF_0000_0000
        var slot = hash & mask
        while slots[Int(slot)] != 0 {
            let found = slots[Int(slot)]
            if found & 0xFFFF_FFFF_0000_0000 == mark, isSame(Int(found & 0xFFFF_FFFF) - 1) { return true }
            slot = (slot + 1) & mask
        }
        slots[Int(slot)] = mark | UInt64(position + 1)
        return false
    }
}
