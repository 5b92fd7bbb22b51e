import CloudRecords
import Foundation

/// Any other `Codable` value, kept as JSON text in one field.
struct JSONCodec<Value: Codable>: FieldCodec {
    var fieldType: CloudFieldType? { .string }
    var isSingleValue: Bool { false }
    var jsonForm: JSONForm { .json }

    func encode(_ value: Value) throws -> FieldState {
        try checkIsolation()
        let encoder = JSONEncoder()
        // Sorted, so that equal values are kept as equal text.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if let key = CloudAsset.fieldTextKey { encoder.userInfo[key] = true }
        do {
            return .value(.string(String(decoding: try encoder.encode(value), as: UTF8.self)))
        } catch let error as CloudError {
            throw CodecFailure(error.message, remedy: error.remedy)
        } catch {
            throw CodecFailure(
                "the value of type \(Value.self) can't be written as JSON: \(error)",
                remedy: "Check the type's Codable conformance."
            )
        }
    }

    func decode(_ stored: CloudValue) throws -> Value {
        try checkIsolation()
        guard case .string(let text) = stored else { throw CodecFailure.mismatch(stored, expected: "JSON text") }
        do {
            return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
        } catch {
            throw CodecFailure(
                "the stored JSON does not make a \(Value.self): \(error)",
                remedy: "Correct the stored value, or convert it with a field rule."
            )
        }
    }

    var probes: [Value] { isVisibleHere(Value.self) ? SampleDecoder.samples(of: Value.self) : [] }

    /// A plan that was built on an actor may be used elsewhere, where a conformance that belongs to the actor must not
    /// run. The runtime shows such a conformance only on its actor.
    private func checkIsolation() throws {
        guard !isVisibleHere(Value.self) else { return }
        throw CodecFailure(
            "the Codable conformance of \(Value.self) belongs to an actor, and this code runs elsewhere",
            remedy: "Use the class on that actor, or declare the type nonisolated."
        )
    }
}

/// Not inlined: where the type is known, the compiler would take the answer for granted.
@inline(never)
private func isVisibleHere(_ type: Any.Type) -> Bool {
    type is any Codable.Type
}
