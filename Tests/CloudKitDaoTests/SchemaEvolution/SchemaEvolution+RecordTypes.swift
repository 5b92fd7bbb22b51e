import CloudKitDao
import Foundation
import Testing

extension SchemaEvolution {
    /// Making record types from classes.
    @Suite struct RecordTypes {
        let dao: CloudDao

        init() throws {
            dao = CloudDao(store: try SQLiteStore.inMemory())
        }

        private final class Ruled: CloudDataObject {
            final class Inner: CloudEmbeddedObject {
                var street = ""
                var floor: Int?
            }
            var plain: String?
            var renamed = 1
            var scratch = 2
            var loaded = 3
            var inner = Inner()
            var maybe: Inner?
            var color: Any?

            override class var fieldRules: [FieldRule] {
                [
                    .rename("renamed", to: "other"), .ignore("scratch"), .importOnly("loaded"),
                    .convert("color", to: .bytes, encode: { (_: Any?) in nil }, decode: { _ in nil }),
                ]
            }
        }

        @Test func `record types come with all fields, nil and empty ones too, and without sample records`()
            async throws
        {
            let schema = try await dao.createRecordTypes([Notice(), Ruled(), Message()])
            #expect(schema.recordTypes.map(\.name) == ["Message", "Notice", "Ruled"])
            #expect(
                schema["Notice"]?.fields == [
                    "text": .string, "number": .int64, "real": .double, "flag": .int64, "date": .date, "bytes": .bytes,
                    "list": .list(of: .string), "kind": .string, "place": .int64, "place__street": .string,
                    "place__floor": .int64, "location": .location, "reference": .reference, "asset": .asset,
                    "json": .string,
                ]
            )
            #expect(
                schema["Ruled"]?.fields == [
                    "plain": .string, "other": .int64, "loaded": .int64, "inner__street": .string,
                    "inner__floor": .int64, "maybe": .int64, "maybe__street": .string, "maybe__floor": .int64,
                    "color": .bytes,
                ]
            )
            #expect(schema["Message"]?.fields["tags"] == .list(of: .string))
            #expect(try await dao.query(Notice.self).isEmpty)
            #expect(try await dao.query(Message.self).isEmpty)
            // Other classes may join later, and nothing is made twice.
            #expect(try await dao.createRecordTypes([Message()])["Message"]?.fields == schema["Message"]?.fields)
            #expect(try await dao.createRecordTypes([]).recordTypes.isEmpty)
            try await dao.save(Message("m1", text: "fits"))
            #expect(try await dao.schema()["Message"]?.fields == schema["Message"]?.fields)
        }

        private final class Convertible: CloudDataObject {
            var mark: UUID?
            override class var fieldRules: [FieldRule] {
                [
                    .convert(
                        "mark",
                        encode: { (mark: UUID?) in mark.map { .string($0.uuidString) } },
                        decode: { $0?.stringValue.flatMap(UUID.init) }
                    )
                ]
            }
        }

        @Test func `a field of unknown type is reported, or takes the type of the sample's value`() async throws {
            let error = await #expect(throws: CloudError.self) { try await dao.createRecordTypes([Convertible()]) }
            #expect(error?.code == .mappingFailed)
            #expect(error?.field == "mark")
            #expect(error?.message.contains("Convertible") == true)
            let sample = Convertible()
            sample.mark = UUID()
            #expect(try await dao.createRecordTypes([sample])["Convertible"]?.fields == ["mark": .string])
        }

        private final class Old: CloudDataObject {
            override class var recordType: String { "Shared" }
            var name = ""
            var first = 1
        }

        private final class New: CloudDataObject {
            override class var recordType: String { "Shared" }
            var name = ""
            var second = 2.0
        }

        private final class Odd: CloudDataObject {
            override class var recordType: String { "Shared" }
            var first = ""
        }

        @Test func `classes of one record type are taken together, and must agree`() async throws {
            let schema = try await dao.createRecordTypes([Old(), New()])
            #expect(schema["Shared"]?.fields == ["name": .string, "first": .int64, "second": .double])
            let fresh = CloudDao(store: try SQLiteStore.inMemory())
            let error = await #expect(throws: CloudError.self) { try await fresh.createRecordTypes([Old(), Odd()]) }
            #expect(error?.field == "first")
            #expect(error?.message.contains("INT64") == true && error?.message.contains("STRING") == true)
            #expect(try await fresh.schema().recordTypes.isEmpty)
        }

        @Test @MainActor
        func `handlers get the schema or the error, once, on the caller's actor`() async throws {
            let made = await HandlerReport.calls { report in
                dao.createRecordTypes(
                    [Message()],
                    completionHandler: { report.completed($0.recordTypes.map(\.name).joined()) },
                    errorHandler: { report.failed($0) }
                )
            }
            #expect(made.completions == ["Message"])
            #expect(made.map(\.actorName) == ["main"])
            let failed = await HandlerReport.calls { report in
                dao.createRecordTypes(
                    [Unmappable()],
                    completionHandler: { _ in report.completed("") },
                    errorHandler: { report.failed($0) }
                )
            }
            #expect(failed.errors.map(\.code) == [.mappingFailed])
            let read = await HandlerReport.calls { report in
                dao.schema(
                    completionHandler: { report.completed("\($0.recordTypes.count)") },
                    errorHandler: { report.failed($0) }
                )
            }
            #expect(read.completions == ["1"])
            let deployed = await HandlerReport.calls { report in
                dao.deploySchema(
                    completionHandler: { report.completed("deployed") },
                    errorHandler: { report.failed($0) }
                )
            }
            #expect(deployed.completions == ["deployed"])
            let extended = await HandlerReport.calls { report in
                dao.extendSchema(
                    CloudSchema(recordTypes: [CloudRecordType(name: "9")]),
                    completionHandler: { report.completed("") },
                    errorHandler: { report.failed($0) }
                )
            }
            #expect(extended.errors.map(\.code) == [.invalidArguments])
        }
    }
}
