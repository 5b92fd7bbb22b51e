import CloudKitDao

/// A class whose enum has no stand-in for values that it lacks.
final class Signal: CloudDataObject {
    enum State: String { case running, stopped }
    var title = ""
    var state = State.running

    convenience init(_ recordName: String, _ title: String) {
        self.init()
        recordID = CloudRecordID(recordName)
        self.title = title
    }
}

/// The signal of a newer version of the app, which knows one more state.
final class NewerSignal: CloudDataObject {
    enum State: String { case running, stopped, paused }
    override class var recordType: String { "Signal" }
    var title = ""
    var state = State.running

    convenience init(_ recordName: String, _ title: String, _ state: State) {
        self.init()
        recordID = CloudRecordID(recordName)
        self.title = title
        self.state = state
    }
}

/// A class on the same records whose enum may be nil.
final class LenientSignal: CloudDataObject {
    override class var recordType: String { "Signal" }
    var title = ""
    var state: Signal.State?
}

/// A class on the same records whose enum has a stand-in.
final class FallbackSignal: CloudDataObject {
    enum State: String, CloudFallback {
        case running, stopped, other
        static var fallback: State { .other }
    }
    override class var recordType: String { "Signal" }
    var title = ""
    var state = State.running
}
