// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Objective-C's functions that store a value with an object, for views and guides.
public enum objc_AssociationPolicy: UInt, @unchecked Sendable {
    case OBJC_ASSOCIATION_ASSIGN = 0
    case OBJC_ASSOCIATION_RETAIN_NONATOMIC = 1
    case OBJC_ASSOCIATION_COPY_NONATOMIC = 3
    case OBJC_ASSOCIATION_RETAIN = 769
    case OBJC_ASSOCIATION_COPY = 771
}

public func objc_getAssociatedObject(_ object: Any, _ key: UnsafeRawPointer) -> Any? {
    (object as? any AssociatingObject)?.standInAssociated.values[key]
}

public func objc_setAssociatedObject(
    _ object: Any,
    _ key: UnsafeRawPointer,
    _ value: Any?,
    _ policy: objc_AssociationPolicy
) { (object as? any AssociatingObject)?.standInAssociated.values[key] = value }

/// An object of the system that can store values: a view or a guide.
protocol AssociatingObject {
    nonisolated var standInAssociated: AssociatedValues { get }
}

extension StandInView: AssociatingObject {}
extension StandInGuide: AssociatingObject {}

/// The values stored with one object.
final class AssociatedValues: @unchecked Sendable {
    var values: [UnsafeRawPointer: Any] = [:]
}
