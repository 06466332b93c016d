package import AppLanguage
package import TerminalUI

extension Form {
    /// Calls a closure with a message when a field has not accepted all of its input.
    package func onProblem(_ show: @escaping @MainActor (LocalizedText) -> Void) {
        onTruncate = { discarded, limit in
            let text = CommonText.notInserted(discarded)
            show(
                LocalizedText(
                    "\(text.english): the field holds at most \(limit)",
                    ko: "\(text.korean). 최대 \(limit)자까지 쓸 수 있습니다"
                )
            )
        }
    }
}
