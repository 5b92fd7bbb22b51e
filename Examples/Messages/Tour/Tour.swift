import CloudKitDao
import Foundation

/// The scripted tour: every feature once, on real data, with its output checked.
///
/// Read it from `steps`; each step is a method in a file of its subject.
@MainActor
final class Tour {
    let files: TourFiles
    var alice: Participant
    var bob: Participant
    var expectations = Expectations()

    /// What should be in the store, by record name: the tour's own account of what it saved.
    var ledger: [String: Message] = [:]

    private let leftovers: [String]

    static let steps = [
        TourStep("Two users, one database") { try await $0.meetTwoUsers() },
        TourStep("Import 2000 messages") { try await $0.importConversation() },
        TourStep("Save one message and read it back") { try await $0.saveAndReadBack() },
        TourStep("A conflict, and how it is resolved") { try await $0.resolveConflict() },
        TourStep("Ignored properties, and optionals that become nil") { try await $0.ignoreAndClear() },
        TourStep("An invoice with three addresses inside") { try await $0.sendInvoice() },
        TourStep("A picture as an asset") { try await $0.sendPicture() },
        TourStep("Locations and distances") { try await $0.travel() },
        TourStep("Queries, written in every way") { try await $0.query() },
        TourStep("A search at every keystroke") { try await $0.search() },
        TourStep("Batches, and a bookmark that survives a restart") { try await $0.readInBatches() },
        TourStep("Errors that a beginner meets") { try await $0.meetErrors() },
        TourStep("Delete, and count again") { try await $0.deleteMessages() },
    ]

    /// Prepares the data folder and opens the database for both users.
    init(files: TourFiles) throws {
        self.files = files
        leftovers = try files.prepare()
        alice = try Participant(userName: "alice", database: files.database)
        bob = try Participant(userName: "bob", database: files.database)
    }

    /// Plays all steps.
    ///
    /// - Returns: The number of surprises.
    func play() async throws -> Int {
        print("Messages: a tour of CloudKitDao")
        print("Data folder: \(files.folder.path)")
        if !leftovers.isEmpty {
            print("Removed from an earlier tour: \(leftovers.joined(separator: ", "))")
        }
        for (index, step) in Self.steps.enumerated() {
            showHeading("\(index + 1). \(step.title)")
            do {
                try await step.play(self)
            } catch {
                expectations.addSurprise("step \(index + 1) ended early: \(error)")
            }
        }
        showSummary()
        return expectations.surprises.count
    }

    private func showSummary() {
        let surprises = expectations.surprises
        showHeading("Summary")
        for surprise in surprises {
            print("  SURPRISE  \(surprise)")
        }
        let noun = surprises.count == 1 ? "surprise" : "surprises"
        print("\(Self.steps.count) steps, \(expectations.count) checks, \(surprises.count) \(noun)")
    }
}

/// A part of the tour.
struct TourStep {
    let title: String
    let play: @MainActor (Tour) async throws -> Void

    init(_ title: String, play: @escaping @MainActor (Tour) async throws -> Void) {
        self.title = title
        self.play = play
    }
}

/// Calls a method that answers through handlers, and waits until a handler says that it was the last one.
///
/// A program with a user interface has no need for this: it goes on with other things until a handler is called.
/// The tour waits, because its steps build on each other. It relies on what a DAO promises: exactly one handler is
/// called, and only once. A second call would end the program.
@MainActor
func waitForHandlers(_ start: (_ done: @escaping () -> Void) -> Void) async {
    await withCheckedContinuation { continuation in
        start { continuation.resume() }
    }
}
