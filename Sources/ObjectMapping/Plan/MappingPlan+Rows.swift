import CloudRecords
import Foundation

/// Where a plan's fields are in rows of a layout.
package struct RowBinding: Sendable {
    package let layout: FieldLayout
    fileprivate let whole: LayoutBinding
    /// The properties of the most frequent types.
    fileprivate let direct: ContiguousArray<DirectRowStep>
    /// Those of other types, with the cells of their fields.
    fileprivate let others: [(step: FieldStep, cell: Int)]
    /// Whether objects are filled from records made of the rows: for what lies in several fields.
    fileprivate let needsRecords: Bool

    init(_ binding: LayoutBinding, _ plan: MappingPlan) {
        let steps = plan.steps
        layout = binding.layout
        whole = binding
        direct = ContiguousArray(
            steps.directImports.compactMap { step in
                guard let field = binding[Int(step.slot)] else { return nil }
                return DirectRowStep(
                    property: step.property,
                    cell: RecordRows.Head.count + field,
                    index: Int(step.index)
                )
            }
        )
        others = steps.otherFields.compactMap { step in
            guard step.isImported, let field = binding[step.slot] else { return nil }
            return (step, RecordRows.Head.count + field)
        }
        needsRecords = !steps.embedded.isEmpty || plan.hasStandIns
    }
}

/// A property of one of the most frequent types and the cell of its field in a row.
private struct DirectRowStep: Sendable {
    let property: DirectProperty
    let cell: Int
    /// The position of the whole step in ``MappingSteps/fields``.
    let index: Int
}

extension MappingPlan {
    /// Makes an object of a row, the same that ``makeObject(_:from:binding:loaded:)`` makes of the row's record.
    ///
    /// - Parameters:
    ///   - binding: What ``rowBinding(for:)`` gave for the rows' layout.
    ///   - loaded: The names of the fields that were asked for, if not all were.
    package func makeObject<Object: CloudDataObject>(
        _ type: Object.Type,
        from rows: RecordRows,
        at row: Int,
        binding: RowBinding,
        loaded: Set<String>? = nil
    ) throws -> Object {
        let object = type.init()
        try fill(object, from: rows, at: row, binding: binding)
        if let loaded { object.partialLoad = try partialLoad(of: object, loaded: loaded) }
        object.adopt(rows, at: row)
        return object
    }

    private func fill(_ object: CloudDataObject, from rows: RecordRows, at row: Int, binding: RowBinding) throws {
        if binding.needsRecords {
            return try fill(object, from: rows.record(at: row), at: binding.whole)
        }
        do {
            // The row and the texts lie in memory of the rows, which live as long as this function runs.
            defer { extendLifetime(rows) }
            let (cells, texts) = (rows.row(row), rows.texts)
            try ObjectMemory.with(object) { memory in
                try binding.direct.withUnsafeBufferPointer { direct in
                    for step in direct {
                        if step.property.write(cells.kinds[step.cell], cells.bits[step.cell], texts, into: memory) {
                            continue
                        }
                        // Null, or a value of another type: the whole step knows what to do.
                        try write(rows.state(cells[step.cell]), into: object, by: steps.fields[step.index])
                    }
                }
            }
            for (step, cell) in binding.others {
                try write(rows.state(cells[cell]), into: object, by: step)
            }
        } catch let failure as FieldFailure {
            throw failure.decodingError(of: rows.recordID(of: row), in: self)
        }
    }
}

extension DirectProperty {
    /// Writes a field that fits the property as it is; returns false if it doesn't, and nothing was written.
    @inline(__always)
    fileprivate func write(
        _ kind: RecordRows.Cell.Kind,
        _ bits: UInt64,
        _ texts: UnsafePointer<UInt8>,
        into object: ObjectMemory
    ) -> Bool {
        switch (self, kind) {
        case (.string(let location), .string): location.store(Self.text(bits, texts), into: object)
        case (.optionalString(let location), .string): location.store(Self.text(bits, texts), into: object)
        case (.optionalString(let location), .null): location.store(nil, into: object)
        case (.int(let location), .int64):
            guard let value = Int(exactly: Int64(bitPattern: bits)) else { return false }
            location.store(value, into: object)
        case (.optionalInt(let location), .int64):
            guard let value = Int(exactly: Int64(bitPattern: bits)) else { return false }
            location.store(value, into: object)
        case (.optionalInt(let location), .null): location.store(nil, into: object)
        case (.double(let location), .double): location.store(Double(bitPattern: bits), into: object)
        case (.optionalDouble(let location), .double): location.store(Double(bitPattern: bits), into: object)
        case (.optionalDouble(let location), .null): location.store(nil, into: object)
        case (.bool(let location), .int64) where bits <= 1: location.store(bits == 1, into: object)
        case (.optionalBool(let location), .int64) where bits <= 1: location.store(bits == 1, into: object)
        case (.optionalBool(let location), .null): location.store(nil, into: object)
        case (.date(let location), .date): location.store(Self.date(bits), into: object)
        case (.optionalDate(let location), .date): location.store(Self.date(bits), into: object)
        case (.optionalDate(let location), .null): location.store(nil, into: object)
        default: return false
        }
        return true
    }

    @inline(__always)
    private static func text(_ bits: UInt64, _ texts: UnsafePointer<UInt8>) -> String {
        let range = RecordRows.Cell.textRange(bits)
        return String(
            decoding: UnsafeBufferPointer(start: texts + range.lowerBound, count: range.count),
            as: UTF8.self
        )
    }

    @inline(__always)
    private static func date(_ bits: UInt64) -> Date {
        Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits))
    }
}
