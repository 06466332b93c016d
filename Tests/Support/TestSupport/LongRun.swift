import Foundation

/// Whether tests may take minutes; `Scripts/test --long` sets the variable.
public var isLongRun: Bool {
    ProcessInfo.processInfo.environment["PAWKIT_LONG"] == "1"
}
