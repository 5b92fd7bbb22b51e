import CloudRecords
import Testing

@testable import CloudKitDao

/// What a batch is cut into, given what comes back. No store takes part.
@Suite struct BatchSplitterTests {
    /// A request, as the names of its records; those to delete have a minus sign.
    private func names(_ request: CloudModification) -> [String] {
        request.saving.map(\.recordID.recordName) + request.deleting.map { "-" + $0.recordName }
    }

    private func batch(_ saves: Int, _ deletes: Int = 0, isAtomic: Bool = false) -> CloudModification {
        CloudModification(
            saving: (0..<saves).map { CloudRecord(recordType: "T", recordID: CloudRecordID("s\($0)")) },
            deleting: (0..<deletes).map { CloudRecordID("d\($0)") },
            savePolicy: .allKeys,
            isAtomic: isAtomic
        )
    }

    private func success(_ request: CloudModification) -> CloudModificationResult {
        CloudModificationResult(
            saved: request.saving.map { .success($0) },
            deleted: request.deleting.map { .success($0) }
        )
    }

    private func next(_ splitter: inout BatchSplitter) throws -> CloudModification {
        let request = splitter.next()
        return try #require(request)
    }

    private func isOver(_ splitter: inout BatchSplitter) {
        let request = splitter.next()
        #expect(request.map(names) == nil)
    }

    private static let tooLarge = CloudError(.limitExceeded, "too large")

    @Test func `one request holds what fits, as it was given`() throws {
        var splitter = try BatchSplitter(batch(3, 2), limit: 5)
        let request = try next(&splitter)
        #expect(names(request) == ["s0", "s1", "s2", "-d0", "-d1"])
        #expect(request.savePolicy == .allKeys)
        splitter.receive(success(request))
        isOver(&splitter)
        #expect(splitter.result().saved.count == 3)
        #expect(splitter.result().deleted.count == 2)
    }

    @Test func `saves and deletes together keep to the limit, in order, each of them once`() throws {
        var splitter = try BatchSplitter(batch(350, 300), limit: 400)
        var requests: [[String]] = []
        while let request = splitter.next() {
            requests.append(names(request))
            splitter.receive(success(request))
        }
        #expect(requests.map(\.count) == [400, 250])
        #expect(requests.flatMap { $0 } == (0..<350).map { "s\($0)" } + (0..<300).map { "-d\($0)" })
        let saved = try splitter.result().saved.map { try $0.get().recordID.recordName }
        #expect(saved == (0..<350).map { "s\($0)" })
        let deleted = try splitter.result().deleted.map { try $0.get().recordName }
        #expect(deleted == (0..<300).map { "d\($0)" })
    }

    @Test func `what is too large is sent again in halves, before what comes after it`() throws {
        var splitter = try BatchSplitter(batch(5, 1), limit: 4)
        var requests: [[String]] = []
        while let request = splitter.next() {
            requests.append(names(request))
            if names(request).count > 1 {
                try splitter.receive(Self.tooLarge)
            } else {
                splitter.receive(success(request))
            }
        }
        #expect(
            requests == [
                ["s0", "s1", "s2", "s3"], ["s0", "s1"], ["s0"], ["s1"], ["s2", "s3"], ["s2"], ["s3"],
                ["s4", "-d0"], ["s4"], ["-d0"],
            ]
        )
        #expect(splitter.result().saved.count == 5)
        #expect(splitter.result().deleted.count == 1)
    }

    @Test func `a single record that is too large has the error, and the others go on`() throws {
        var splitter = try BatchSplitter(batch(4), limit: nil)
        while let request = splitter.next() {
            if names(request).contains("s1") {
                try splitter.receive(Self.tooLarge)
            } else {
                splitter.receive(success(request))
            }
        }
        let codes = splitter.result().saved.map { $0.failure?.code }
        #expect(codes == [nil, .limitExceeded, nil, nil])
        #expect(splitter.result().saved[1].failure?.recordID == CloudRecordID("s1"))
    }

    @Test func `records that are too large in their results are sent again, and only they`() throws {
        var splitter = try BatchSplitter(batch(4, 2), limit: nil)
        let all = try next(&splitter)
        splitter.receive(
            CloudModificationResult(
                saved: all.saving.enumerated().map { $0 == 1 || $0 == 3 ? .failure(Self.tooLarge) : .success($1) },
                deleted: [.success(all.deleting[0]), .failure(Self.tooLarge)]
            )
        )
        #expect(splitter.answeredCount == 3)
        let rest = try next(&splitter)
        #expect(names(rest) == ["s1", "s3", "-d1"])
        splitter.receive(success(rest))
        isOver(&splitter)
        #expect(splitter.result().saved.map { $0.failure?.code } == [nil, nil, nil, nil])
        #expect(splitter.result().deleted.map { $0.failure?.code } == [nil, nil])
    }

    @Test func `a record that is too large by itself is not sent for ever`() throws {
        var splitter = try BatchSplitter(batch(1), limit: nil)
        let request = try next(&splitter)
        splitter.receive(CloudModificationResult(saved: [.failure(Self.tooLarge)], deleted: []))
        #expect(names(request) == ["s0"])
        isOver(&splitter)
        #expect(splitter.result().saved[0].failure?.code == .limitExceeded)
    }

    @Test func `an error of the first request is that of the batch`() throws {
        var splitter = try BatchSplitter(batch(4), limit: 2)
        _ = splitter.next()
        let error = #expect(throws: CloudError.self) {
            try splitter.receive(CloudError(.networkFailure, "cut", retryAfter: 7))
        }
        #expect(error?.code == .networkFailure)
        #expect(error?.retryAfter == 7)
    }

    @Test func `an error of a later request leaves what was answered, and ends the batch`() throws {
        var splitter = try BatchSplitter(batch(5, 3), limit: 2)
        splitter.receive(success(try next(&splitter)))
        _ = splitter.next()
        try splitter.receive(CloudError(.serviceUnavailable, "down", retryAfter: 7))
        isOver(&splitter)
        let saved = splitter.result().saved
        #expect(saved.map { $0.failure?.code } == [nil, nil] + Array(repeating: .serviceUnavailable, count: 3))
        #expect(saved.compactMap { $0.failure?.retryAfter } == [7, 7, 7])
        #expect(saved[4].failure?.message.contains("s4 was not sent") == true)
        #expect(splitter.result().deleted.map { $0.failure?.code } == Array(repeating: .serviceUnavailable, count: 3))
    }

    @Test func `after a lost answer, only the records of that request have an unknown outcome`() throws {
        var splitter = try BatchSplitter(batch(3), limit: 1)
        splitter.receive(success(try next(&splitter)))
        _ = splitter.next()
        try splitter.receive(CloudError(.serverResponseLost, "lost"))
        #expect(
            splitter.result().saved.map { $0.failure?.code } == [nil, .serverResponseLost, .networkFailure]
        )
    }

    @Test func `an atomic batch is never split`() throws {
        let error = #expect(throws: CloudError.self) { try BatchSplitter(batch(3, 3, isAtomic: true), limit: 5) }
        #expect(error?.code == .limitExceeded)
        #expect(error?.message.contains("6") == true && error?.message.contains("5") == true)
        var splitter = try BatchSplitter(batch(2, 3, isAtomic: true), limit: 5)
        let request = try next(&splitter)
        #expect(names(request).count == 5)
        #expect(throws: CloudError.self) { try splitter.receive(Self.tooLarge) }
        isOver(&splitter)
    }

    @Test func `a limit that makes no sense sends one record at a time`() throws {
        for limit in [0, -1, Int.min] {
            var splitter = try BatchSplitter(batch(2), limit: limit)
            var count = 0
            while let request = splitter.next() {
                count += 1
                splitter.receive(success(request))
            }
            #expect(count == 2)
        }
    }

    @Test func `whatever a store refuses, every record has one result in its place`() throws {
        var generator = SystemRandomNumberGenerator()
        let seed = UInt64.random(in: 0 ... .max, using: &generator)
        var random = SplitMix(seed: seed)
        for _ in 0..<300 {
            let (saves, deletes) = (Int.random(in: 0...20, using: &random), Int.random(in: 0...20, using: &random))
            let limit = Int.random(in: 1...25, using: &random)
            let actual = Int.random(in: 1...25, using: &random)
            var splitter = try BatchSplitter(batch(saves, deletes), limit: limit)
            var written: [String] = []
            while let request = splitter.next() {
                try #require(names(request).count <= limit, "seed \(seed)")
                if names(request).count > actual {
                    try splitter.receive(Self.tooLarge)
                } else {
                    written += names(request)
                    splitter.receive(success(request))
                }
            }
            let expected = (0..<saves).map { "s\($0)" } + (0..<deletes).map { "-d\($0)" }
            try #require(written == expected, "seed \(seed)")
            try #require(splitter.result().saved.count == saves, "seed \(seed)")
            try #require(splitter.result().deleted.count == deletes, "seed \(seed)")
        }
    }
}

/// A generator of the same numbers for the same seed.
private struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
