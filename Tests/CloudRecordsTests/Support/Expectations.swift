import CloudRecords
import Foundation
import Testing

/// Returns the error of a body that has to throw one.
func cloudError(
    _ body: () throws -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> CloudError {
    try #require(throws: CloudError.self, sourceLocation: sourceLocation) { try body() }
}

/// Returns a value after a trip through JSON.
func throughJSON<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
}
