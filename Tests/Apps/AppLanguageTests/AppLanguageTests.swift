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

    @Test(
        "A particle has the form that the last sound of the word before it takes, and both where it is unknown",
        arguments: [
            ("할 일", "할 일은 할 일이 할 일을 할 일과 할 일로"), ("메모", "메모는 메모가 메모를 메모와 메모로"),
            ("제목", "제목은 제목이 제목을 제목과 제목으로"), ("\"집\"", "\"집\"은 \"집\"이 \"집\"을 \"집\"과 \"집\"으로"),
            ("r", "r은 r이 r을 r과 r로"), ("enter", "enter는 enter가 enter를 enter와 enter로"), ("f6", "f6은 f6이 f6을 f6과 f6으로"),
            ("127", "127은 127이 127을 127과 127로"), ("D", "D는 D가 D를 D와 D로"),
            ("→", "→은(는) →이(가) →을(를) →와(과) →(으)로"), ("", "은(는) 이(가) 을(를) 와(과) (으)로"),
        ]
    )
    func particles(word: String, expected: String) {
        let particles: [KoreanParticle] = [.topic, .subject, .object, .and, .direction]
        #expect(particles.map { word.with($0) }.joined(separator: " ") == expected)
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
