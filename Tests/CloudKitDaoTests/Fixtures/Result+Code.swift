import CloudKitDao

extension Result where Failure == CloudError {
    /// The code of the error; nil for a success.
    var code: CloudError.Code? {
        if case .failure(let error) = self { error.code } else { nil }
    }
}
