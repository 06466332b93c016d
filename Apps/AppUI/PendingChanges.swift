/// The changes that the user has made and the store has not confirmed yet.
///
/// A change is registered at the moment the key is pressed, so that quitting right after it waits for it. Its task
/// belongs to the program, not to a screen: closing the screen does not cancel it.
@MainActor
package final class PendingChanges {
    private var descriptions: [Int: String] = [:]
    private var next = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []
    /// The changes that could not be saved, each with the reason, while the program ends.
    private var failures: [String] = []
    private var hasFinished = false

    /// Returns whether the program is about to end, before ``finish()`` is called; set by the full screen.
    package var isEnding: @MainActor () -> Bool = { false }

    /// Shows a change that could not be saved, with the reason, after its own screen was closed; set by the present root.
    package var onFailure: (@MainActor (String) -> Void)?

    /// Whether the program ends, when messages and questions are no longer visible.
    package var isFinishing: Bool { hasFinished || isEnding() }

    /// Creates an empty list.
    package init() {}

    /// Short descriptions of the changes under way, in their order.
    package var underWay: [String] { descriptions.sorted { $0.key < $1.key }.map(\.value) }

    /// Starts a change.
    ///
    /// - Parameters:
    ///   - description: a short description, such as `add "Buy milk"`.
    ///   - isShown: returns whether the screen is still there, which shows a failure. Otherwise ``onFailure`` does.
    ///   - operation: makes the change and updates the screen.
    /// - Returns: the number of the change, for ``isUnderWay(_:)``.
    @discardableResult
    package func perform(
        _ description: String,
        isShown: @escaping @MainActor () -> Bool,
        _ operation: @escaping @MainActor () async -> Outcome
    ) -> Int {
        let number = next
        next += 1
        descriptions[number] = description
        Task {
            let outcome = await operation()
            descriptions[number] = nil
            if case .failed(let reason) = outcome {
                let failure = "\(description): \(reason)"
                if isFinishing { failures.append(failure) } else if !isShown() { onFailure?(failure) }
            }
            guard descriptions.isEmpty else { return }
            for continuation in waiting { continuation.resume() }
            waiting = []
        }
        return number
    }

    /// The result of a change.
    package enum Outcome: Sendable {
        /// The change was saved, or the user was asked what to do.
        case done
        /// The change or a part of it was not saved, for a reason, which contains the text that the user has typed for it.
        case failed(String)

        /// Returns the failure of a change with the texts that were typed for it. A field that was emptied has none.
        package static func failed(typed texts: [String], _ reason: String) -> Outcome {
            let typed = texts.filter { !$0.isEmpty }.joined(separator: ", ")
            return .failed(typed.isEmpty ? reason : "\(typed): \(reason)")
        }
    }

    /// Whether a change is under way.
    package func isUnderWay(_ number: Int) -> Bool { descriptions[number] != nil }

    /// Waits until no change is under way, and returns those that could not be saved, with the reasons. Call it when the screen
    /// is gone.
    package func finish() async -> [String] {
        hasFinished = true
        while !descriptions.isEmpty { await withCheckedContinuation { waiting.append($0) } }
        return failures
    }
}

/// A short message that disappears after a few seconds.
package struct Notice: Hashable, Sendable {
    /// The severity, and whether undo is offered.
    package enum Kind: Hashable, Sendable {
        /// A change was made. `step` identifies it for an undo.
        case undoable(step: String)
        /// Information that requires no action.
        case information
        /// An error.
        case failure
    }

    /// The severity, and whether undo is offered.
    package let kind: Kind
    /// The text, of one line.
    package let text: String

    /// Creates a notice.
    package init(kind: Kind, text: String) {
        self.kind = kind
        self.text = text
    }
}
