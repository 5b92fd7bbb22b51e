/// Writes readable sentences, the same ones in every run.
struct SampleText {
    private static let openings = [
        "Shall we", "Can you", "Do you still want to", "Who is going to",
        "I would like to", "We really should", "Don't forget to", "It is time to", "My plan is to",
    ]
    private static let actions = [
        "meet at the station", "bring the tickets", "look at the new house", "cook something with mushrooms",
        "repair the bicycle", "call the dentist", "watch the last episode", "walk along the canal",
        "write the minutes", "water the plants", "book a table for four", "practise the second movement",
    ]
    private static let times = [
        "today", "tomorrow", "on Friday", "after lunch", "before it rains", "at half past eight", "next week",
        "when the children sleep",
    ]
    /// How many of the openings begin a question.
    private static let questionCount = 4

    private var generator: SampleGenerator

    init(seed: UInt64) {
        generator = SampleGenerator(seed: seed)
    }

    /// The next sentence.
    mutating func sentence() -> String {
        let opening = generator.number(below: Self.openings.count)
        let action = generator.element(of: Self.actions, otherwise: "")
        let time = generator.element(of: Self.times, otherwise: "")
        let mark = opening < Self.questionCount ? "?" : "."
        return "\(Self.openings[opening]) \(action) \(time)\(mark)"
    }
}

/// Numbers that look random and are the same in every run (SplitMix64).
struct SampleGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// The next number from 0 up to, and not including, a limit.
    mutating func number(below limit: Int) -> Int {
        Int(next() % UInt64(limit))
    }

    /// One of some elements; the other value if there are none.
    mutating func element<Element>(of elements: [Element], otherwise other: Element) -> Element {
        elements.isEmpty ? other : elements[number(below: elements.count)]
    }

    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
