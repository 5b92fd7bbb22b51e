import CloudRecords

// Everything that touches the Swift runtime or an object's memory stands in this file.
//
// What is relied on, and why it is sound:
// - The `swift_reflectionMirror_…` functions and that of the instances' size are what the standard library's own `Mirror` is built on. They
//   exist on Apple's platforms and on Linux. A layout is checked against `Mirror` the first time a class is used.
// - A property is read and written at the offset and with the exact type that the runtime reports for it, so memory
//   is never taken for another type. Only `var`s with strong storage are touched; a `let` may have been folded into
//   the code by the compiler.
// - Raw access bypasses the dynamic exclusivity checks. The mapper works on an object within the isolation of the
//   caller, who holds it, and calls no user code while it reads or writes one property.

@_silgen_name("swift_reflectionMirror_recursiveCount")
private func reflectedPropertyCount(_ type: Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func reflectedPropertyMetadata(
    _ type: Any.Type,
    index: Int,
    fieldMetadata: UnsafeMutablePointer<ReflectedPropertyMetadata>
) -> Any.Type

@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
private func reflectedPropertyOffset(_ type: Any.Type, index: Int) -> Int

@_silgen_name("_swift_getSwiftClassInstanceExtents")
private func classInstanceExtents(_ type: AnyClass) -> (negative: UInt, positive: UInt)

/// The record that the runtime fills for one property; its shape is the runtime's.
private struct ReflectedPropertyMetadata {
    var name: UnsafePointer<CChar>?
    var freeName: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
    var isStrong = false
    var isVar = false
}

/// The stored properties of a class, through all its superclasses up to a base class.
struct TypeLayout {
    struct Property {
        /// The property's name as it is stored: `_title` for a wrapped one, `$__lazy_storage_$_title` for a lazy one.
        let storedName: String
        let type: Any.Type
        let offset: Int
        /// False for `let`.
        let isVar: Bool
        /// False for `weak` and `unowned`.
        let isStrong: Bool
        /// The class in the chain that declares it.
        let declaringClass: AnyClass
    }

    let properties: [Property]

    /// Reads the layout of an instance's class, leaving out what `base` and its superclasses declare.
    ///
    /// - Throws: ``CloudError/Code/mappingFailed`` if the class was compiled without reflection metadata, or if the
    ///   runtime and `Mirror` disagree.
    init(of instance: AnyObject, below base: AnyClass) throws {
        let type: AnyClass = Swift.type(of: instance)
        var chain: [AnyClass] = []
        var current: AnyClass? = type
        while let next = current, next != base {
            chain.insert(next, at: 0)
            current = _getSuperclass(next)
        }
        var properties: [Property] = []
        var start = reflectedPropertyCount(base)
        for declaringClass in chain {
            let end = reflectedPropertyCount(declaringClass)
            for index in start..<max(start, end) {
                properties.append(Self.property(at: index, of: declaringClass))
            }
            start = end
        }
        self.properties = properties
        try checkAgainstMirror(of: instance, depth: chain.count)
        try checkNothingIsHidden(in: type, base: base)
    }

    private static func property(at index: Int, of type: AnyClass) -> Property {
        var metadata = ReflectedPropertyMetadata()
        let propertyType = reflectedPropertyMetadata(type, index: index, fieldMetadata: &metadata)
        defer { metadata.freeName?(metadata.name) }
        return Property(
            storedName: metadata.name.map { String(cString: $0) } ?? "",
            type: propertyType,
            offset: reflectedPropertyOffset(type, index: index),
            isVar: metadata.isVar,
            isStrong: metadata.isStrong,
            declaringClass: type
        )
    }

    private func checkAgainstMirror(of instance: AnyObject, depth: Int) throws {
        // A class that describes itself shows Mirror whatever it likes; that says nothing about its layout.
        guard !(instance is any CustomReflectable) else { return }
        // Mirror copies the values that it shows, and stops the process at an unowned reference whose object is gone.
        guard properties.allSatisfy(\.isStrong) else { return }
        var labels: [[String]] = []
        var mirror: Mirror? = Mirror(reflecting: instance)
        while let level = mirror, labels.count < depth {
            labels.insert(level.children.map { $0.label ?? "" }, at: 0)
            mirror = level.superclassMirror
        }
        guard labels.flatMap({ $0 }) == properties.map(\.storedName) else {
            throw CloudError(
                .mappingFailed,
                "The runtime's layout of class \(type(of: instance)) differs from what Mirror shows of it.",
                remedy: "This compiler is not supported yet; please report its version."
            )
        }
    }

    /// A class that was compiled with `-disable-reflection-metadata` shows no properties, though its instances have
    /// room for them.
    private func checkNothingIsHidden(in type: AnyClass, base: AnyClass) throws {
        guard properties.isEmpty else { return }
        guard classInstanceExtents(type).positive > classInstanceExtents(base).positive else { return }
        throw CloudError(
            .mappingFailed,
            "Class \(type) has stored properties, but its module was compiled without reflection metadata.",
            remedy: "Compile the module without the option -disable-reflection-metadata."
        )
    }
}

/// A class's own name, without module and outer types.
///
/// Never inlined: for a class that it knows, the optimiser would write out a name of its own, which for a private
/// class has a discriminator in it.
@inline(never)
func ownName(of type: Any.Type) -> String {
    String(describing: type)
}

/// Where one stored property of a known type lies in the instances of a class.
struct PropertyLocation<Value>: Sendable {
    // Narrow, so that a plan's steps lie close together.
    private let offset: UInt32

    /// Fails if the property is of another type, or must not be touched.
    init?(_ property: TypeLayout.Property, as type: Value.Type = Value.self) {
        guard property.type == type, property.isVar, property.isStrong,
            let offset = UInt32(exactly: property.offset)
        else { return nil }
        self.offset = offset
    }

    /// Reads the property.
    @inline(__always)
    func load(from object: AnyObject) -> Value {
        ObjectMemory.with(object) { load(from: $0) }
    }

    /// Writes the property. Observers of the property don't run.
    @inline(__always)
    func store(_ value: Value, into object: AnyObject) {
        ObjectMemory.with(object) { store(value, into: $0) }
    }

    /// Reads the property of an object of the class that the location is of.
    @inline(__always)
    func load(from memory: ObjectMemory) -> Value { address(in: memory).pointee }

    /// Writes the property of an object of the class that the location is of. Observers of the property don't run.
    @inline(__always)
    func store(_ value: Value, into memory: ObjectMemory) { address(in: memory).pointee = value }

    @inline(__always)
    private func address(in memory: ObjectMemory) -> UnsafeMutablePointer<Value> {
        // Sound because the initialiser checked that the runtime reports exactly this type at this offset.
        (memory.start + Int(offset)).assumingMemoryBound(to: Value.self)
    }
}

/// The memory of an object, valid within the call that passes it: a walk over many properties keeps the object alive once.
struct ObjectMemory {
    fileprivate let start: UnsafeMutableRawPointer

    @inline(__always)
    static func with<Result>(_ object: AnyObject, _ body: (ObjectMemory) throws -> Result) rethrows -> Result {
        defer { extendLifetime(object) }
        return try body(ObjectMemory(start: Unmanaged.passUnretained(object).toOpaque()))
    }
}

/// Where a property lies that holds an object of a subclass of ``CloudEmbeddedObject``, or nil.
struct EmbeddedObjectLocation: Sendable {
    let embeddedType: CloudEmbeddedObject.Type
    /// Whether the property may be nil. A `lazy` one is not, though its storage holds nil until it is evaluated.
    let isOptional: Bool
    private let offset: Int

    /// Fails if the property doesn't hold an embedded object.
    init?(_ property: TypeLayout.Property, isLazy: Bool) {
        guard property.isVar, property.isStrong else { return nil }
        if let type = property.type as? CloudEmbeddedObject.Type {
            embeddedType = type
            isOptional = false
        } else if let optional = property.type as? any OptionalType.Type,
            let type = optional.wrappedType as? CloudEmbeddedObject.Type
        {
            embeddedType = type
            isOptional = !isLazy
        } else {
            return nil
        }
        offset = property.offset
    }

    /// Reads the property; nil for nil, and for a `lazy` property that was not evaluated.
    func load(from object: AnyObject) -> CloudEmbeddedObject? {
        withExtendedLifetime(object) {
            address(in: object).pointee
        }
    }

    /// Writes a new object of the property's own class, with its initial values, and returns it.
    func storeNewObject(into object: AnyObject) -> CloudEmbeddedObject {
        let embedded = embeddedType.init()
        withExtendedLifetime(object) {
            address(in: object).pointee = embedded
        }
        return embedded
    }

    /// Writes nil, if the property is optional.
    func storeNil(into object: AnyObject) {
        guard isOptional else { return }
        withExtendedLifetime(object) {
            address(in: object).pointee = nil
        }
    }

    private func address(in object: AnyObject) -> UnsafeMutablePointer<CloudEmbeddedObject?> {
        // Sound because references to objects of all classes, and optionals of them, are one pointer, nil being zero;
        // and because only objects of the declared class are ever written.
        (Unmanaged.passUnretained(object).toOpaque() + offset).assumingMemoryBound(to: CloudEmbeddedObject?.self)
    }
}

/// Two different values of an enum that can't be made from a raw value that is known beforehand.
///
/// An enum that is one byte without references has at least the two values with the bit patterns 0 and 1: were there
/// only one, it would be zero bytes. Enums of other sizes, and structs, give nil.
func twoDistinctCases<Enumeration>(of type: Enumeration.Type) -> (Enumeration, Enumeration)? {
    // The first word of a type's metadata is its kind; 0x201 is "enum" in Swift's stable ABI.
    let kind = unsafeBitCast(type as Any.Type, to: UnsafePointer<Int>.self).pointee
    guard kind == 0x201, MemoryLayout<Enumeration>.size == 1, _isPOD(type) else { return nil }
    return (unsafeBitCast(UInt8(0), to: type), unsafeBitCast(UInt8(1), to: type))
}
