/// A key and its value in a ``CacheTable``, with what a look-up needs beside: of small ones all of it is in one cache line.
@usableFromInline
struct CacheEntry<Key, Value>: CacheHeaded {
    /// First, so that it can be read where there is no entry too.
    @usableFromInline var head: CacheHead
    @usableFromInline var key: Key
    @usableFromInline var value: Value

    @inlinable
    init(head: CacheHead, key: Key, value: Value) {
        self.head = head
        self.key = key
        self.value = value
    }
}

/// What begins with a ``CacheHead``.
@usableFromInline
protocol CacheHeaded {}

extension UnsafeMutablePointer where Pointee: CacheHeaded {
    /// What a place tells of its entry, if there is one.
    @inlinable var head: CacheHead { UnsafeRawPointer(self).load(as: CacheHead.self) }

    /// Tells that there is no entry.
    @inlinable
    func vacate() {
        UnsafeMutableRawPointer(self).storeBytes(of: CacheHead(hash: 0, mark: 0), as: CacheHead.self)
    }
}
