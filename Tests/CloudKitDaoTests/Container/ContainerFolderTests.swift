import CloudKitDaoTestSupport
import Foundation
import Testing

@testable import CloudKitDao

/// Where a container's files are.
@Suite struct ContainerFolderTests {
    @Test func `a folder that another spelling has made is refused, and named`() throws {
        let folder = try ContainerFolder("iCloud.app")
        let error = #expect(throws: CloudError.self) { try folder.check(spellings: ["other", "icloud.app"]) }
        #expect(error?.code == .badContainer)
        #expect(error?.message.contains("icloud.app") == true && error?.message.contains("iCloud.app") == true)
        #expect(error?.remedy.isEmpty == false)
        try folder.check(spellings: ["icloud.app", "iCloud.app"])
    }

    @Test func `where the disk tells capitals from small letters, both spellings have folders`() throws {
        let directory = try TestFolder()
        try FileManager.default.createDirectory(
            at: directory.url.appending(path: "A"),
            withIntermediateDirectories: false
        )
        let tellsApart = !FileManager.default.fileExists(atPath: directory.path("a"))
        try ContainerFolder("A").make(in: directory.url)
        if tellsApart {
            try ContainerFolder("a").make(in: directory.url)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path).sorted() == ["A", "a"])
        } else {
            #expect(throws: CloudError.self) { try ContainerFolder("a").make(in: directory.url) }
        }
    }
}
