import Foundation

/// A random number generator that gives the same numbers for the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// The seeds of property tests. A failing test shows its seed; PROPERTY_TEST_SEED runs that one alone.
    static let seeds: [UInt64] =
        ProcessInfo.processInfo.environment["PROPERTY_TEST_SEED"].flatMap(UInt64.init).map { [$0] } ?? Array(1...8)
}

extension Collection {
    /// An element by chance, of a collection that is not empty.
    func any(_ generator: inout SeededGenerator) -> Element {
        self[index(startIndex, offsetBy: Int.random(in: 0..<count, using: &generator))]
    }
}
