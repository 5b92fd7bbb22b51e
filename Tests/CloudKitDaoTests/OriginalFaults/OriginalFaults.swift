import Testing

/// What was wrong in the library whose style this one follows, each as a test that would fail there.
@Suite struct OriginalFaults {}
