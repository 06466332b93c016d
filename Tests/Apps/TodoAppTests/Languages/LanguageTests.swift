import AccountCore
import AppLanguage
import AppTestSupport
import Foundation
import RIBs
import TerminalTesting
import TerminalUI
import TestSupport
import Testing

@testable import TodoApp

@Suite("Both languages are complete", .timeLimit(.minutes(2)))
@MainActor
struct LanguageTests {
    private static let root = Project.root

    /// The sources that contain the texts of the screens.
    private static func sources() throws -> [(name: String, text: String)] {
        let folders = [
            "Apps/AppUI", "Apps/AccountCore", "Apps/Features", "Apps/TodoApp/Root", "Apps/TodoApp/Home",
            "Apps/TodoApp/Links",
        ]
        return try folders.flatMap { folder in
            let path = root.appendingPathComponent(folder).path
            let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
            return try names.filter { $0.hasSuffix(".swift") }.map {
                ("\(folder)/\($0)", try String(contentsOfFile: path + "/" + $0, encoding: .utf8))
            }
        }
    }

    @Test("Every text has a Korean form with Hangul and without `을(를)` in it, unless it is the same in every language")
    func translated() throws {
        var count = 0
        for (name, text) in try Self.sources() {
            // Comments show examples.
            let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(
                separator: "\n"
            )
            for part in code.components(separatedBy: "ko: \"").dropFirst() {
                let korean = part.prefix { $0 != "\n" }
                let hasHangul = korean.unicodeScalars.contains { (0xAC00...0xD7A3).contains($0.value) }
                #expect(hasHangul, "\(name): \(korean.prefix(60))")
                // A particle has the form that its word takes.
                #expect(!korean.contains(/\([은는이가을를와과으]\)/), "\(name): \(korean.prefix(60))")
                count += 1
            }
        }
        #expect(count > 150)
    }

    @Test("No view of a screen is created with a text of one language")
    func literals() throws {
        // The elements that show their first argument.
        let pattern =
            /\b(Label|Button|Text|Action|Row|Check|Checkbox|Spinner|AlertController\(title:|addAction|TextField\(placeholder:)\(?\s*"(?<text>[^"\\]*[A-Za-z]{2}[^"\\]*)"/
        for (name, text) in try Self.sources() {
            let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(
                separator: "\n"
            )
            for match in code.matches(of: pattern) {
                Issue.record("\(name): \"\(match.text)\" has one language only")
            }
        }
    }

    /// The Latin words that stay as they are in Korean: names, keys, addresses and what the user typed.
    private static let verbatim: Set<String> = [
        "dog", "press", "start", "home", "shop", "due", "fri", "buy", "milk", "google", "facebook", "ctrl", "enter",
        "esc", "alt",
        "tab", "space", "pgup", "pgdn", "delete",
        "data", "pictures", "test", "max", "maxdog", "pug", "beagle", "walk", "the",
    ]

    @Test(
        "Each screen in Korean contains no English word",
        arguments: [
            "tutorial", "start", "login", "signUp", "profile", "account", "favourites", "menu", "settings", "keys",
            "list", "editor", "detail", "calendar", "sort", "group", "entry", "commands", "change-keys",
        ]
    )
    func korean(name: String) async throws {
        let profile = Profile(id: "maxdog", nickname: "Max")
        let branch: LaunchBranch =
            switch name {
            case "tutorial": .tutorial
            case "start", "login", "signUp": .login
            default: .main(profile)
            }
        let pictures = FakePictureService()
        pictures.repeated = .sample("Pug")
        let screen = try await AppOnScreen(
            width: 100,
            height: 40,
            todos: name == "favourites" || name == "tutorial" ? [] : ["(A) 산책 due:tomorrow rec:1w"],
            pictures: pictures,
            account: FakeAccount(branch: branch),
            language: .korean,
            waitsForTodos: false
        )
        let (keys, wanted): (String, String) =
            switch name {
            case "tutorial": ("", "한 줄로 쓰는 할 일")
            case "start": ("", "PRESS START")
            case "login": ("l", "비밀번호")
            case "signUp": ("s", "전화번호")
            case "profile", "account": ("o", "파일")
            case "favourites": ("F", "즐겨찾기가 없습니다")
            case "menu": ("m", "프로필")
            case "settings": (",", "자동 로그인")
            case "list": ("", "산책")
            case "editor": ("e", "마감일")
            case "detail": ("\n", "적은 때")
            case "calendar": ("t", "마감인 일이 없습니다")
            case "sort": ("s", "급한 순서")
            case "group": ("b", "묶지 않음")
            case "commands": (":", "새 할 일")
            case "change-keys": (":단축키 바꾸기\n", "새 키를 누르면")
            case "entry": ("nx due:2026-02-30", "달력에 없는 날짜")
            default: ("?", "다른")
            }
        if case .main = branch { try await screen.wait { $0.contains("Pug") && $0.contains("남은 일") } }
        // A key typed before the screen is there is lost.
        if case .login = branch { try await screen.wait(for: "PRESS START") }
        try await screen.wait { !$0.isEmpty }
        await screen.type(keys)
        if name == "account" {
            try await screen.wait(for: "Max (maxdog)")
            // Name, breed, Save, Back, Log out, Account.
            try await screen.type("\t\t\t\t\t\n", waitingFor: "회원 탈퇴")
        } else if name != "keys" {
            try await screen.wait(for: wanted)
        }
        let words = screen.text.split { !$0.isASCII || !$0.isLetter }.map { $0.lowercased() }.filter { $0.count > 2 }
        let foreign = Set(words).subtracting(Self.verbatim)
        #expect(foreign.isEmpty, "\(foreign.sorted()) on\n\(screen.text)")
    }
}
