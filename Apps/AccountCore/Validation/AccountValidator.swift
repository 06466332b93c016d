import CivilDates
package import EssentialFoundation
import TextEscaping

/// The rules of the account's fields: pure functions that the screens, the commands and the backend share.
package enum AccountValidator {
    /// The number of Unicode scalars of an id, whose letters are composed, and of a password.
    package static let credentialLength = 6...12
    /// The number of characters of a nickname.
    package static let nicknameLength = 1...10
    /// The maximum number of Unicode scalars of a nickname: a character may have any number of marks. The longest emoji have ten.
    private static let nicknameScalars = 100
    /// The number of digits of a verification code.
    package static let codeLength = 6

    /// Returns whether a text is valid for a field.
    package static func validity(of text: String, as field: AccountField, now: Date = Date()) -> FieldValidity {
        guard !text.isEmpty else { return .empty }
        let isValid =
            switch field {
            case .id: isCredential(text.composed) && !text.unicodeScalars.contains(where: isInvisible)
            case .password: isCredential(text)
            case .phone: normalizedPhone(text) != nil
            case .code: text.utf8.count == codeLength && text.utf8.allSatisfy(isDigit)
            case .nickname: isNickname(text)
            case .birth: isPastDate(text, now: now)
            case .email: isEmail(text)
            }
        return isValid ? .valid : .invalid
    }

    // MARK: Id and password

    /// Returns an id without outer spaces, in lower case and with composed letters: two ids that differ only in these are equal.
    package static func normalizedID(_ text: String) -> String { text.trimmingSpaces().lowercased().composed }

    /// Returns whether a password is too common, or repeats the id or the name of the app, for a new account.
    package static func isCommonPassword(_ password: String, id: String = "") -> Bool {
        let lower = password.lowercased()
        if lower == normalizedID(id) || CommonPasswords.contains(lower) { return true }
        // One character repeated, or a run such as abcdef and 987654.
        let scalars = lower.unicodeScalars.map { Int($0.value) }
        let steps = zip(scalars, scalars.dropFirst()).map { $1 - $0 }
        guard let first = steps.first else { return false }
        return (-1...1).contains(first) && steps.allSatisfy { $0 == first }
    }

    private static func isCredential(_ text: String) -> Bool {
        credentialLength.contains(text.unicodeScalars.count)
            && !text.unicodeScalars.contains {
                $0.properties.isWhitespace || $0.properties.generalCategory == .control
            }
    }

    // MARK: Telephone number

    /// Returns a telephone number in the form of E.164, or `nil` if the text is not one.
    ///
    /// Spaces, hyphens, dots and parentheses are ignored. A number without `+` is a Korean mobile number, `01` and eight
    /// or nine more digits.
    package static func normalizedPhone(_ text: String) -> String? {
        var digits = text.unicodeScalars.filter { !" -.()".unicodeScalars.contains($0) }.map { $0 }
        let isInternational = digits.first == "+"
        if isInternational { digits.removeFirst() }
        guard digits.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
        var number = String(String.UnicodeScalarView(digits))
        if !isInternational {
            guard number.hasPrefix("01"), (10...11).contains(number.count) else { return nil }
            number = "82" + number.dropFirst()
        }
        guard (8...15).contains(number.count), number.first != "0" else { return nil }
        return "+" + number
    }

    // MARK: Profile

    private static func isNickname(_ text: String) -> Bool {
        nicknameLength.contains(text.trimmingSpaces().count) && text.unicodeScalars.count <= nicknameScalars
            && !text.unicodeScalars.contains {
                [.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
            }
            && text.unicodeScalars.contains { !isInvisible($0) && !$0.properties.isWhitespace }
    }

    /// Whether a scalar leaves no trace on the screen, so that two different texts can look the same.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .format || scalar.properties.isDefaultIgnorableCodePoint
    }

    private static func isPastDate(_ text: String, now: Date) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2], parts.allSatisfy({ $0.utf8.allSatisfy(isDigit) }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]), year >= 1900,
            let date = CivilDate(year: year, month: month, day: day)
        else { return false }
        // The day has begun somewhere on Earth 14 hours before it begins in Greenwich.
        let seconds = now.addingTimeInterval(14 * 3600).timeIntervalSince1970
        return date.daysSince1970 <= CivilDate.day(ofSecond: Int(seconds.rounded(.down)))
    }

    private static func isEmail(_ text: String) -> Bool {
        guard text.utf8.count <= 254, let at = text.lastIndex(of: "@") else { return false }
        let (local, domain) = (text[..<at], text[text.index(after: at)...])
        let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
        return (1...64).contains(local.utf8.count) && !local.contains("@") && labels.count >= 2
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                    && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
            }
            && !local.unicodeScalars.contains {
                $0.properties.isWhitespace || $0.properties.generalCategory == .control
                    || "<>\"(),:;[]\\".unicodeScalars.contains($0)
            }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

extension String {
    /// Returns the text without white space at both ends.
    func trimmingSpaces() -> String {
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
