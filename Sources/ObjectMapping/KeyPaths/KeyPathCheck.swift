import CloudRecords

/// Tells a key path to a stored property from one to a computed property that gives the same for ordinary values.
///
/// The object is brought into states in which computed properties often depart from the stored ones: the property has a
/// special value, others have, embedded objects are nil.
struct KeyPathCheck {
    let keyPath: AnyKeyPath
    let probe: CloudDataObject
    let candidates: [KeyPathCandidate]
    let steps: MappingSteps

    /// Whether the key path gives what is written into a candidate, whatever that and the other properties hold.
    func leads(toCandidateAt index: Int) -> Bool {
        let candidate = candidates[index]
        for which in [false, true] {
            writeProbes(which)
            for write in candidate.edgeWriters where !gives(write(probe), candidate) { return false }
        }
        for round in 0..<edgeRounds {
            writeEdges(round, except: index)
            guard gives(candidate.writeProbe(probe, round % 2 == 1), candidate) else { return false }
            guard let write = candidate.edgeWriters.element(round) else { continue }
            guard gives(write(probe), candidate) else { return false }
        }
        for which in [false, true] {
            removeEmbeddedObjects()
            guard gives(candidate.writeProbe(probe, which), candidate) else { return false }
        }
        return true
    }

    /// Whether the key path gives the embedded object, and nil when there is none, whatever the other properties hold.
    func leads(to candidate: EmbeddedKeyPathCandidate) -> Bool {
        for which in [false, true] {
            writeProbes(which)
            guard gives(candidate) else { return false }
        }
        for round in 0..<edgeRounds {
            writeEdges(round)
            guard gives(candidate) else { return false }
        }
        removeEmbeddedObjects()
        return gives(candidate)
    }

    private func gives(_ expected: FieldState?, _ candidate: KeyPathCandidate) -> Bool {
        // What the field can't hold says nothing.
        guard let expected else { return true }
        guard let value = probe[keyPath: keyPath] else { return false }
        return (try? candidate.field.state(of: value)) == expected
    }

    private func gives(_ candidate: EmbeddedKeyPathCandidate) -> Bool {
        guard let owner = candidate.owner(probe) else { return false }
        let object = candidate.location.load(from: owner) ?? candidate.location.storeNewObject(into: owner)
        guard let value = probe[keyPath: keyPath], value as? CloudEmbeddedObject === object else { return false }
        candidate.location.storeNil(into: owner)
        guard let none = probe[keyPath: keyPath] else { return false }
        return (none as? any OptionalType)?.isNil == true
    }

    private func writeProbes(_ which: Bool) {
        for candidate in candidates { _ = candidate.writeProbe(probe, which) }
    }

    private var edgeRounds: Int { candidates.map(\.edgeWriters.count).max() ?? 0 }

    /// Writes one special value into each property that takes them.
    private func writeEdges(_ round: Int, except index: Int? = nil) {
        for (other, candidate) in candidates.enumerated() where other != index {
            _ = candidate.edgeWriters.element(round)?(probe)
        }
    }

    private func removeEmbeddedObjects() {
        for step in steps.embedded { step.location.storeNil(into: probe) }
    }
}

extension Array {
    /// The element of a round, the elements being taken in turn; nil if there is none.
    fileprivate func element(_ round: Int) -> Element? {
        isEmpty ? nil : self[round % count]
    }
}
