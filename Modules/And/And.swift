/// A type whose values can be configured in the expression that makes them.
///
/// | Member | For | Gives |
/// |---|---|---|
/// | `and` | references | the same object, configured |
/// | `with` | values, copyable or not | a configured copy (a noncopyable value is consumed) |
/// | `do` | both | nothing: it runs a block for its effect |
///
/// A type takes part with one line, `extension Label: And {}`; on Apple platforms every `NSObject` does already.
/// All members are inlinable and rethrow exactly what the block throws, so an optimised build leaves nothing of them.
public protocol And: ~Copyable {}

extension Array: And {}
extension Dictionary: And {}
extension Set: And {}
extension String: And {}
