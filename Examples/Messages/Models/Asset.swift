import CloudKitDao

/// A file, such as the picture of a message. The bytes are kept outside of the record.
final class Asset: CloudDataObject {
    var file: CloudAsset?
    var fileName = ""
    var fileType = ""
}
