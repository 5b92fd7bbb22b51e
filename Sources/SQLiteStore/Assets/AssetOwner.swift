import CloudRecords
import Foundation

/// The field that an asset belongs to, for error messages.
struct AssetOwner: Sendable {
    let recordID: CloudRecordID
    let field: String

    func missing(_ source: URL) -> CloudError {
        CloudError(
            .assetFileNotFound,
            "The file \(source.lastPathComponent) of field \(field) of record \(recordID) does not exist.",
            remedy: "Make the asset of a file that exists, and keep the file until the save is done.",
            recordID: recordID,
            field: field
        )
    }

    func changed(_ source: URL) -> CloudError {
        CloudError(
            .assetFileModified,
            "The file \(source.lastPathComponent) of field \(field) of record \(recordID) was changed while it was saved.",
            remedy: "Leave the file alone until the save is done, and save again.",
            recordID: recordID,
            field: field
        )
    }

    func unreadable(_ source: URL, _ code: Int32) -> CloudError {
        CloudError(
            .assetNotAvailable,
            """
            The file \(source.lastPathComponent) of field \(field) of record \(recordID) can't be read: \
            \(String(cString: strerror(code))).
            """,
            remedy: "Check that it is a file and may be read.",
            recordID: recordID,
            field: field
        )
    }

    func failure(_ what: String, _ code: Int32) -> CloudError {
        CloudError(
            [ENOSPC, EDQUOT, EFBIG].contains(code) ? .quotaExceeded : .internalError,
            "The asset in field \(field) of record \(recordID) can't be kept: \(what) (\(String(cString: strerror(code)))).",
            remedy: "Check the space on the disk and the permissions of the store's folder.",
            recordID: recordID,
            field: field
        )
    }
}
