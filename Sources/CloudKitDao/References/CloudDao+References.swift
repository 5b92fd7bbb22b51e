extension CloudDao {
    /// Fetches the object that a reference points at.
    ///
    /// ```swift
    /// let receiver = try await dao.fetch(message.to, as: User.self)
    /// ```
    ///
    /// - Returns: The object; nil if there is no reference, or no record that it points at.
    /// - Throws: ``CloudError/Code/mappingFailed`` naming the record if it is of another type than the class, or can't be
    ///   mapped to it.
    public func fetch<Object: CloudDataObject>(
        _ reference: CloudReference?,
        as type: Object.Type
    ) async throws -> Object? {
        guard let reference else { return nil }
        return try await fetch(type, reference.recordID)
    }

    /// Fetches the objects that references point at, all in one request.
    ///
    /// ```swift
    /// let receivers = try await dao.fetch(messages.map(\.to), as: User.self)      // as long as messages
    /// let stops = try await dao.fetch(route.stops, as: Stop.self)
    /// ```
    ///
    /// - Returns: For each reference its object, in their order; nil where there is no reference, or no record that it
    ///   points at. References to one record have the same object.
    /// - Throws: ``CloudError/Code/mappingFailed`` naming the record if one is of another type than the class, or can't
    ///   be mapped to it; for several ones ``CloudError/Code/partialFailure`` with the error of each.
    /// - Complexity: That of fetching each record once.
    public func fetch<Object: CloudDataObject>(
        _ references: [CloudReference?],
        as type: Object.Type
    ) async throws -> [Object?] {
        var positions: [CloudRecordID: Int] = [:]
        var recordIDs: [CloudRecordID] = []
        for case let reference? in references where positions[reference.recordID] == nil {
            positions[reference.recordID] = recordIDs.count
            recordIDs.append(reference.recordID)
        }
        let objects = try await fetch(type, recordIDs).gettingFound(ids: recordIDs)
        return references.map { reference in
            reference.flatMap { positions[$0.recordID] }.flatMap { objects[$0] }
        }
    }

    /// Fetches the objects that a property of other objects refers to, all in one request.
    ///
    /// ```swift
    /// let receivers = try await dao.fetch(\.to, of: messages, as: User.self)
    /// for (message, receiver) in zip(messages, receivers) { … }
    /// ```
    ///
    /// - Returns: For each source what its reference points at, see ``fetch(_:as:)-([CloudReference?],_)``.
    public func fetch<Source: CloudDataObject, Object: CloudDataObject>(
        _ property: KeyPath<Source, CloudReference?>,
        of sources: [Source],
        as type: Object.Type
    ) async throws -> [Object?] {
        try await fetch(sources.map { $0[keyPath: property] }, as: type)
    }

    /// Fetches the objects that a property of other objects refers to, all in one request.
    ///
    /// - Returns: For each source what its reference points at, see ``fetch(_:as:)-([CloudReference?],_)``.
    public func fetch<Source: CloudDataObject, Object: CloudDataObject>(
        _ property: KeyPath<Source, CloudReference>,
        of sources: [Source],
        as type: Object.Type
    ) async throws -> [Object?] {
        try await fetch(sources.map { $0[keyPath: property] }, as: type)
    }

    /// Fetches the objects that a list of other objects refers to, all in one request.
    ///
    /// - Returns: For each source what its references point at, see ``fetch(_:as:)-([CloudReference?],_)``.
    public func fetch<Source: CloudDataObject, Object: CloudDataObject>(
        _ property: KeyPath<Source, [CloudReference]>,
        of sources: [Source],
        as type: Object.Type
    ) async throws -> [[Object?]] {
        let lists = sources.map { $0[keyPath: property] }
        var objects = try await fetch(lists.flatMap { $0 }, as: type)[...]
        return lists.map { list in
            defer { objects = objects.dropFirst(list.count) }
            return Array(objects.prefix(list.count))
        }
    }
}

extension Array {
    /// The objects, nil for those that are not there.
    fileprivate func gettingFound<Object>(ids: [CloudRecordID]) throws -> [Object?]
    where Element == Result<Object, CloudError> {
        var errors: [CloudRecordID: CloudError] = [:]
        let objects = zip(ids, self).map { id, result -> Object? in
            switch result {
            case .success(let object): return object
            case .failure(let error) where error.code == .unknownItem: return nil
            case .failure(let error):
                errors[id] = error
                return nil
            }
        }
        if errors.count == 1, let error = errors.first?.value { throw error }
        guard errors.isEmpty else { throw CloudError.partialFailure(errors) }
        return objects
    }
}
