import CloudKitDao

/// A message that is being written, with a property that is not to be stored.
final class Draft: CloudDataObject {
    var text = ""
    /// What the user typed last on this device; of no interest to others.
    var scratch = ""

    override class var fieldRules: [FieldRule] {
        [.ignore("scratch")]
    }
}
