/// One way to do a piece of work.
struct Contender {
    let name: String
    /// Does the work once and returns the nanoseconds for one item. What it prepares and checks is off the clock.
    let run: () async throws -> Double

    init(_ name: String, _ run: @escaping () async throws -> Double) {
        self.name = name
        self.run = run
    }
}

/// What is measured by turns: the framework, the floor under it, and others for scale.
struct Contest {
    static let rounds = 5

    let name: String
    let ours: Contender
    let floor: Contender
    var others: [Contender] = []

    /// Runs everything once to warm up and then in five rounds, each of which runs every contender once, so that what
    /// else the machine does hits all alike. The order turns round from one round to the next.
    func outcomes() async throws -> [Outcome] {
        let contenders = [floor, ours] + others
        var times = contenders.map { _ in [Double]() }
        for round in 0...Self.rounds {
            let order = round.isMultiple(of: 2) ? Array(contenders.indices) : contenders.indices.reversed()
            for index in order {
                let time = try await contenders[index].run()
                if round > 0 { times[index].append(time) }
            }
        }
        let floorTimes = times[0]
        var outcomes: [Outcome] = []
        for index in contenders.indices.dropFirst() {
            outcomes.append(
                Outcome(
                    name: index == 1 ? name : "\(name): \(contenders[index].name)",
                    ratio: median(times[index]) / median(floorTimes),
                    ratios: zip(times[index], floorTimes).map { $0 / $1 },
                    nanoseconds: median(times[index]),
                    floorNanoseconds: median(floorTimes),
                    rounds: Self.rounds
                )
            )
        }
        return outcomes
    }
}

/// What came out for one contender.
struct Outcome {
    let name: String
    /// The median of its times by the median of the floor's, or a figure in the unit.
    let ratio: Double
    /// The same for each round.
    let ratios: [Double]
    let nanoseconds: Double
    let floorNanoseconds: Double?
    let rounds: Int
    /// What the ratio is in, where it is no ratio.
    var unit: String?
}
