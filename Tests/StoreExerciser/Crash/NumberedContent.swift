import CloudKitDao
import Foundation

/// The bytes of an asset, which follow from a number: so whoever reads them knows what they must be.
package struct NumberedContent {
    package let number: Int

    package init(_ number: Int) {
        self.number = number
    }

    /// Up to 30,000 bytes.
    package var data: Data {
        var words: [UInt64] = []
        var word = UInt64(truncatingIfNeeded: number)
        for _ in 0...(number &* 7_919 % 3_750) {
            // The step of a linear congruential generator.
            word = word &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            words.append(word)
        }
        return words.withUnsafeBytes { Data($0) }
    }

    /// An asset of a new file in the folder.
    func asset(in folder: URL) throws -> CloudAsset {
        let url = folder.appending(path: "\(number)-\(UUID().uuidString)")
        try data.write(to: url)
        return CloudAsset(fileURL: url)
    }
}
