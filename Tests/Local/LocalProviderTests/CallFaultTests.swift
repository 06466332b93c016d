import Foundation
import LocalProviderTestSupport
import SystemCalls
import TestSupport
import Testing

@testable import LocalProvider

/// Each system call of a script of writes fails in turn; afterwards every write that was reported as stored must be there.
@Suite("Failing system calls")
struct CallFaultTests {
    /// The values that a store may have.
    private struct Ledger {
        /// For each key its possible values: the last one stored, and those whose writing failed since.
        var possible: [String: Set<Int?>] = [:]

        mutating func write(_ key: String, _ value: Int?, _ body: () throws -> Void) -> (any Error)? {
            do {
                try body()
                possible[key] = [value]
                return nil
            } catch {
                // The write may have been made or not.
                possible[key, default: [nil]].insert(value)
                return error
            }
        }
    }

    /// Writes, changes and removes values with every function; returns the errors.
    private func run(_ provider: LocalProvider, _ kind: LocalStoreKind, _ ledger: inout Ledger) -> [any Error] {
        func key(_ name: String) -> LocalKey<Int> { LocalKey(name, in: kind) }
        var errors: [(any Error)?] = []
        for number in 0..<4 {
            errors.append(ledger.write("a", number) { try provider.set(key("a"), to: number) })
            let text = "b\(number)"
            errors.append(ledger.write(text, number) { try provider.set(key(text), to: number) })
        }
        errors.append(ledger.write("b1", nil) { try provider.delete(key("b1")) })
        errors.append(ledger.write("b2", 20) { try provider.update(key("b2")) { $0 = 20 } })
        if kind == .defaults {
            errors.append(ledger.write("t", 5) { try provider.defaults.transaction { try $0.set(5, for: "t") } })
            _ = try? provider.defaults.compactNow()
        }
        errors.append(ledger.write("a", 9) { try provider.set(key("a"), to: 9) })
        errors.append(ledger.write("b0", nil) { try provider.delete(key("b0")) })
        return errors.compactMap(\.self)
    }

    private func check(_ kind: LocalStoreKind, _ fault: FaultyCalls.Fault) throws -> (calls: Int, errors: [any Error]) {
        let folder = try MemoryFolder()
        let location = FileStoreLocation(directory: folder.path + "/data")
        var ledger = Ledger()
        let calls = FaultyCalls(fault)
        var errors: [any Error] = []
        do {
            let faulty = LocalProvider(location: location, options: .init(), system: FileSystem(calls))
            errors = run(faulty, kind, &ledger)
        }
        let provider = LocalProvider(location: location, options: .init(), system: FileSystem(FaultyCalls(.none)))
        for (name, possible) in ledger.possible {
            let value = try provider.value(of: LocalKey<Int>(name, in: kind))
            #expect(possible.contains(value), "\(fault): \(name) is \(String(describing: value)), not \(possible)")
        }
        for recovery in provider.recoveries {
            guard case .unfinishedWrite = recovery.damage else {
                Issue.record("\(fault): \(recovery)")
                continue
            }
        }
        // The store can still be used.
        try provider.set(LocalKey("after", in: kind), to: 1)
        #expect(try provider.read(LocalKey<Int>("after", in: kind)) == 1)
        return (calls.count, errors)
    }

    @Test(
        "A write that has returned is never lost, whichever system call fails",
        arguments: [LocalStoreKind.defaults, .propertyList],
        [EIO, ENOSPC, EACCES]
    )
    func everyCall(kind: LocalStoreKind, code: Int32) throws {
        let count = try check(kind, .none).calls
        #expect(count > 50)
        for number in 1...count {
            let once = try check(kind, .failing(at: number, code: code)).errors
            for error in once { #expect(error is LocalError, "\(error)") }
            guard isLongRun || number % 3 == Int(code) % 3 else { continue }
            let forever = try check(kind, .broken(from: number, code: code)).errors
            #expect(!forever.isEmpty, "from \(number) of \(count)")
            for case let error as LocalError in forever { #expect(Self.tells(error, code), "\(error)") }
        }
    }

    private static func tells(_ error: LocalError, _ code: Int32) -> Bool {
        switch (error, code) {
        case (.full, ENOSPC), (.notPermitted, EACCES), (.io, EIO): true
        default: false
        }
    }

    @Test(
        "A short read or write is not an error, whichever call it is, and also if all are short",
        arguments: [LocalStoreKind.defaults, .propertyList]
    )
    func onceSlow(kind: LocalStoreKind) throws {
        let count = try check(kind, .none).calls
        for number in 1...count {
            #expect(try check(kind, .short(at: number)).errors.isEmpty, "short at \(number)")
        }
        #expect(try check(kind, .slow).errors.isEmpty)
    }
}
