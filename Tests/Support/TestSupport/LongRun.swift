import Foundation

/// How long a test tries random input: `PAWKIT_FUZZ_SECONDS`, otherwise ten minutes in a long run and a moment in a usual
/// one.
public var fuzzTime: Duration {
    let seconds = ProcessInfo.processInfo.environment["PAWKIT_FUZZ_SECONDS"].flatMap { Double($0) }
    return .seconds(seconds ?? (isLongRun ? 600 : 0.3))
}

/// Whether tests may take minutes; `Scripts/test --long` sets the variable.
public var isLongRun: Bool { ProcessInfo.processInfo.environment["PAWKIT_LONG"] == "1" }
