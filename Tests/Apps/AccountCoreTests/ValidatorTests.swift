import AppLanguage
import Foundation
import Testing

@testable import AccountCore

@Suite("Validators")
struct ValidatorTests {
    private func check(_ field: AccountField, valid: [String], invalid: [String], now: Date = Date()) {
        for (texts, validity) in [(valid, FieldValidity.valid), (invalid, .invalid)] {
            for text in texts {
                #expect(AccountValidator.validity(of: text, as: field, now: now) == validity, "\(field): \(text)")
            }
        }
    }

    @Test("An id and a password have 6 to 12 characters", arguments: [AccountField.id, .password])
    func lengths(field: AccountField) {
        for (count, validity) in [(5, FieldValidity.invalid), (6, .valid), (12, .valid), (13, .invalid)] {
            #expect(AccountValidator.validity(of: String(repeating: "가", count: count), as: field) == validity)
        }
        #expect(AccountValidator.validity(of: "pass\u{0}word", as: field) == .invalid)
    }

    @Test(
        "An id and a password contain no spaces",
        arguments: [" abcdef", "abcdef ", "abc def", "abc\tdef", "abc　def"]
    )
    func spaces(text: String) {
        #expect(AccountValidator.validity(of: text, as: .id) == .invalid)
        #expect(AccountValidator.validity(of: text, as: .password) == .invalid)
    }

    @Test("The letters of an id are counted as they are displayed, and each of its characters is visible")
    func visibleID() {
        for (text, isValid) in [
            ("\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}", false), ("e\u{301}bcdef", true),
            ("e\u{301}bcde", false),
            ("abcdefghijke\u{301}", true), ("abc\u{200B}def", false), ("abcdef\u{FEFF}", false),
            ("abc\u{3164}def", false),
            ("\u{202E}abcdef", false), ("abcdef\u{FE0F}", false),
        ] {
            #expect(AccountValidator.validity(of: text, as: .id).isValid == isValid, "\(text.unicodeScalars)")
        }
    }

    @Test("An empty field is not valid, whatever it contained before", arguments: AccountField.allCases)
    func empty(field: AccountField) {
        #expect(AccountValidator.validity(of: "", as: field) == .empty)
        #expect(!AccountValidator.validity(of: "", as: field).isValid)
    }

    @Test(
        "A telephone number is normalised to E.164; other texts are invalid",
        arguments: [
            ("010-1234-5678", "+821012345678"), ("01012345678", "+821012345678"), ("011 123 4567", "+82111234567"),
            ("+82 10 1234 5678", "+821012345678"), ("+1 (415) 555-2671", "+14155552671"),
            ("0212345678", nil), ("010-1234", nil), ("+", nil), ("+0123456789", nil), ("１２３", nil),
            ("010-1234-567a", nil), ("010-1234-56789", nil),
        ] as [(String, String?)]
    )
    func phone(text: String, number: String?) {
        #expect(AccountValidator.normalizedPhone(text) == number)
        #expect(AccountValidator.validity(of: text, as: .phone) == (number == nil ? .invalid : .valid))
    }

    @Test("A verification code has six ASCII digits")
    func code() {
        check(.code, valid: ["012345"], invalid: ["12345", "1234567", "12345a", "１２３４５６", "123 45"])
    }

    @Test("A nickname has 1 to 10 characters of at most 100 Unicode scalars, without line breaks")
    func nickname() {
        let emoji = "\u{1F469}\u{1F3FB}\u{200D}\u{2764}\u{FE0F}\u{200D}\u{1F48B}\u{200D}\u{1F468}\u{1F3FF}"
        check(
            .nickname,
            valid: ["a", "👨‍👩‍👧‍👦 가족", "열글자열글자열글자열", String(repeating: emoji, count: 10)],
            invalid: [
                "a" + String(repeating: "\u{301}", count: 100),
                "   ", "열한글자열한글자열한글", "a\nb", "a\u{1b}b", "\u{200B} \u{3164}",
            ]
        )
    }

    @Test("A date of birth exists, and is not in the future")
    func birth() {
        check(
            .birth,
            valid: ["1900-01-01", "2000-02-29", "2026-02-25"],
            invalid: [
                "1899-12-31", "2001-02-29", "1900-02-29", "2026-03-01", "2001-13-01", "2001-1-01", "2001/01/01",
            ],
            now: Date(timeIntervalSince1970: 1_772_000_000)  // 25 February 2026
        )
    }

    @Test("A date of birth may be the day that has begun somewhere on Earth, and not the next one")
    func birthInTheEast() {
        let now = Date(timeIntervalSince1970: 1_772_020_000)  // 25 February 2026, 11:46 in Greenwich
        check(.birth, valid: ["2026-02-26"], invalid: ["2026-02-27"], now: now)
    }

    @Test("An email address has a local part and a domain")
    func email() {
        check(
            .email,
            valid: ["a@b.co", "jisu.kim+dog@example.com", "지수@예시.한국"],
            invalid: ["a@b", "@b.co", "a@", "a b@c.de", "a@b..co", "a@-b.co", "a@b-.co", "a@@b.co", "a@b.co\u{7}"]
        )
    }

    @Test("Common passwords, runs and the id itself are refused for new accounts")
    func common() {
        for text in ["password", "PASSWORD1", "qwerty123", "abcdefgh", "98765432", "zzzzzzzz", "zyxwvuts", "jisu2026"] {
            #expect(AccountValidator.isCommonPassword(text, id: "Jisu2026"), "\(text)")
        }
        #expect(!AccountValidator.isCommonPassword("k9-leash!", id: "jisu2026"))
    }

    @Test("The list has at least 3,000 passwords, each of which the rule for passwords allows")
    func list() {
        #expect(CommonPasswords.all.count >= 3_000)
        for text in CommonPasswords.all {
            #expect(AccountValidator.validity(of: text, as: .password) == .valid, "\(text)")
            #expect(text == text.lowercased(), "\(text)")
        }
    }

    @Test("Every rule and error has a text in both languages, and the Korean one is Korean")
    func texts() {
        let errors: [AccountError] = [
            .offline, .timedOut, .unusable(.malformed), .unusable(.incomplete), .unusable(.insecure),
            .unusable(.redirect),
            .unusable(.status(418)), .serverFailed(status: 500), .throttled(seconds: 90), .wrongCredentials,
            .wrongPassword, .sessionEnded, .wrongCode, .codeEnded, .notVerified, .idTaken, .commonPassword, .cancelled,
        ]
        let texts = errors.map(\.text) + ProviderProblem.allCases.map(\.text) + AccountField.allCases.map(\.rule)
        for text in texts {
            #expect(text(.korean).unicodeScalars.contains { (0xac00...0xd7a3).contains($0.value) }, "\(text(.english))")
            #expect(text(.english).hasSuffix("."), "\(text(.english))")
        }
        for (seconds, shown) in [(0, 1), (90, 90), (1_000_000, 86_400), (nil, 30)] {
            let reply = AccountReply(status: 429, retryAfter: seconds, body: Data())
            #expect(AccountError(reply) == .throttled(seconds: shown))
        }
    }
}
