import Foundation

/// A random number generator that gives the same numbers for the same seed (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A seed for a property test: PROPERTY_TEST_SEED, or else one by chance, which the test shows when it fails.
    package static var seed: UInt64 {
        ProcessInfo.processInfo.environment["PROPERTY_TEST_SEED"].flatMap(UInt64.init) ?? .random(in: 0..<1_000_000)
    }

    /// A number by chance, of a range that is not empty.
    package mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self) }

    /// True once in so many times.
    package mutating func once(in times: Int) -> Bool { number(0..<times) == 0 }

    /// An element by chance, of a collection that is not empty.
    package mutating func any<Elements: Collection>(_ elements: Elements) -> Elements.Element {
        elements[elements.index(elements.startIndex, offsetBy: number(0..<elements.count))]
    }
}
