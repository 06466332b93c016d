#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension HTTPCache {
    /// All answers kept under a key.
    func record(_ key: String) async -> CacheRecord? {
        guard let data = await attempt({ try await store.value(for: key) }) else { return nil }
        return CacheRecord(data)
    }

    /// Changes what is kept under a key, one change at a time; `change` gives the keys of bodies that are of no use any
    /// more. True when something else is kept afterwards.
    @discardableResult
    func update(_ key: String, _ change: @Sendable (inout CacheRecord) -> [String]) async -> Bool {
        await turns.enter(key)
        let old = await record(key)
        var new = old ?? CacheRecord()
        let unused = change(&new)
        let isWritten = new != old ?? CacheRecord() ? await write(new, key) : false
        turns.leave(key)
        for body in unused { _ = await attempt { try await store.remove(body) } }
        return isWritten
    }

    private func write(_ record: CacheRecord, _ key: String) async -> Bool {
        do {
            if record.variants.isEmpty {
                try await store.remove(key)
            } else {
                try await store.set(record.encoded, for: key)
            }
            return true
        } catch {
            failed(error)
            // What is there speaks of what has been changed.
            _ = await attempt { try await store.remove(key) }
            return false
        }
    }

    /// Removes all answers under a key, and keeps those out that are still on their way.
    func invalidate(_ key: String) async {
        changes.invalidate(key)
        await turns.enter(key)
        let unused = await record(key)?.variants.compactMap { variant -> String? in
            if case .separate(let body, _) = variant.body { body } else { nil }
        }
        _ = await attempt { try await store.remove(key) }
        turns.leave(key)
        for body in unused ?? [] { _ = await attempt { try await store.remove(body) } }
    }
}
