/// All values but the first that left a part of a cache at once.
///
/// An object rather than a pointer with a `deinit` around it: with values that need no destruction, code that is not
/// specialised takes the whole for something that needs none either.
@usableFromInline
final class ReleasedValues<Value> {
    @usableFromInline var values: [Value] = []

    @inlinable init() {}
}
