import Testing

@testable import AppLanguage

@Suite("The languages of the app")
struct AppLanguageTests {
    @Test("The option takes precedence over the environment, and LC_ALL over LC_MESSAGES over LANG")
    func precedence() {
        let korean = ["LC_ALL": "ko_KR.UTF-8", "LC_MESSAGES": "en_GB", "LANG": "C"]
        #expect(AppLanguage.preferred(option: nil, environment: korean) == .korean)
        #expect(AppLanguage.preferred(option: "en", environment: korean) == .english)
        #expect(AppLanguage.preferred(option: "ko", environment: [:]) == .korean)
        #expect(AppLanguage.preferred(option: nil, environment: ["LC_MESSAGES": "ko", "LANG": "en_US"]) == .korean)
        #expect(AppLanguage.preferred(option: nil, environment: ["LC_ALL": "C", "LANG": "ko_KR"]) == .english)
        #expect(AppLanguage.preferred(option: nil, environment: ["LC_ALL": "", "LANG": "ko_KR"]) == .korean)
    }

    @Test("Locale names are read with or without territory, encoding and modifier; other languages are English")
    func localeNames() {
        for name in ["ko", "KO", "ko_KR", "ko-KR", "ko.UTF-8", "ko_KR.eucKR", "ko@x"] {
            #expect(AppLanguage.preferred(option: nil, environment: ["LANG": name]) == .korean, "\(name)")
        }
        for name in ["de_DE.UTF-8", "C.UTF-8", "POSIX", "kok_IN", "_", "."] {
            #expect(AppLanguage.preferred(option: nil, environment: ["LANG": name]) == .english, "\(name)")
        }
        #expect(AppLanguage.preferred(option: nil, environment: [:]) == .english)
    }

    @Test("A text has both languages; counts follow the language")
    func texts() {
        let text = LocalizedText("Todos", ko: "할 일")
        #expect(text(.english) == "Todos" && text(.korean) == "할 일")
        #expect(LocalizedText(verbatim: "/data")(.korean) == "/data")
        let one = LocalizedText.count(1, one: "todo", several: "todos", ko: "할 일")
        #expect(one(.english) == "1 todo" && one(.korean) == "할 일 1개")
        #expect(LocalizedText.count(0, one: "todo", several: "todos", ko: "할 일")(.english) == "0 todos")
    }
}
