import CloudKitDaoTestSupport
import Testing

extension Reliability {
    @Suite("LargeAssets")
    struct LargeAssets {
        /// In megabytes. 0 leaves the test out, for a sanitizer, whose own memory would be counted.
        static let size = setting("RELIABILITY_ASSET_MEGABYTES", default: 256)

        @Test("A large asset goes through save and fetch with under 32 MB more memory", .enabled(if: size > 0))
        func memory() async throws {
            let folder = try TestFolder()
            let process = try ExerciserProcess(
                "carry-asset",
                folder.path("large.sqlite"),
                folder.path("source"),
                "\(Self.size)"
            )
            let growth = try #require(try await process.finish("grown").first.flatMap { Int($0) })
            print("  the process grew by \(growth >> 10) KB")
            #expect(growth < 32 << 20)
        }
    }
}
