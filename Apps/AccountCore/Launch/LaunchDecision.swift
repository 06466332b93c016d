package import AppLanguage

/// Where the launch leads.
package enum LaunchBranch: Hashable, Sendable {
    /// The user has not seen the tutorial.
    case tutorial
    /// There is no account on this machine: login, sign-up by a telephone number, or guest.
    case verification
    /// The telephone number is verified and the sign-up is not finished, or the server does not know the account.
    case nickname
    /// The session has ended: the user signs in again.
    case login
    /// The app, with the profile of the user; `nil` for a guest.
    case main(Profile?)
}

/// Where the launch leads, and what the user should know.
package struct LaunchDecision: Hashable, Sendable {
    /// Where the launch leads.
    package var branch: LaunchBranch
    /// What the user should know, such as that the server cannot be reached or that a damaged file was set aside.
    package var notices: [LocalizedText]

    /// Creates a decision.
    package init(_ branch: LaunchBranch, notices: [LocalizedText] = []) {
        (self.branch, self.notices) = (branch, notices)
    }
}

/// The result of the version check.
package enum VersionCheck: Hashable, Sendable {
    /// The app is as new as the server requires.
    case current
    /// The server requires a newer version. The app must not continue.
    case outdated(OutdatedVersion)
    /// The required version is not known: the app continues with a notice.
    case unknown(LocalizedText)
}

/// A version of the app that the server no longer accepts.
package struct OutdatedVersion: Hashable, Sendable {
    /// The version of the app.
    package let current: String
    /// The oldest version that the server accepts.
    package let required: String
    /// How to update; from the server, or a default.
    package let instructions: LocalizedText

    /// Creates a description.
    package init(current: String, required: String, instructions: LocalizedText) {
        (self.current, self.required, self.instructions) = (current, required, instructions)
    }

    /// Both versions and how to update.
    package var text: LocalizedText { versions.followed(by: instructions) }

    /// Both versions in a sentence.
    package var versions: LocalizedText {
        LocalizedText(
            "You have version \(current); the server requires \(required) or newer.",
            ko: "현재 버전은 \(current)이고, 서버에는 \(required) 이상이 필요합니다."
        )
    }
}

/// A version of numbers and dots, such as `1.10.2`; compared number by number.
package struct AppVersion: Comparable, Hashable, Sendable, CustomStringConvertible {
    private let numbers: [Int]

    /// Reads one to four numbers that are separated by dots; `nil` for any other text.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...4).contains(parts.count) else { return nil }
        var numbers: [Int] = []
        for part in parts {
            guard (1...6).contains(part.utf8.count), part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(part)
            else { return nil }
            numbers.append(number)
        }
        // 1.2 equals 1.2.0.
        while numbers.count > 1, numbers.last == 0 { numbers.removeLast() }
        self.numbers = numbers
    }

    /// Returns whether a version is older than another one.
    package static func < (left: AppVersion, right: AppVersion) -> Bool {
        left.numbers.lexicographicallyPrecedes(right.numbers)
    }

    /// The numbers with dots.
    package var description: String { numbers.map(String.init).joined(separator: ".") }
}
