/// A value that somebody else keeps: read when a screen refreshes, written when the user changes it.
@MainActor
struct Binding<Value> {
    /// The value now.
    let get: @MainActor () -> Value
    /// Keeps another.
    let set: @MainActor (Value) -> Void

    /// A value behind two closures; they should hold their owner weakly.
    init(get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void) {
        self.get = get
        self.set = set
    }

    /// A property of an object, which is held weakly; `fallback` is its value once the object is gone.
    init<Owner: AnyObject>(_ owner: Owner, _ path: ReferenceWritableKeyPath<Owner, Value>, fallback: Value) {
        self.init(
            get: { [weak owner] in owner?[keyPath: path] ?? fallback },
            set: { [weak owner] in owner?[keyPath: path] = $0 }
        )
    }
}
