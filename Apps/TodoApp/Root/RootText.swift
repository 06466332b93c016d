import AccountCore
import AppLanguage
import AppUI
import TodoCore
import TodoFeature

/// The texts of the root.
enum RootText {
    static let menu = LocalizedText("Menu", ko: "메뉴")
    static let settings = LocalizedText("Settings", ko: "설정")
    static let consent = LocalizedText("Log in automatically", ko: "자동 로그인")
    static let lists = TodoScopeText.title
    static let keys = LocalizedText("Keys", ko: "단축키")
    static let palettePlaceholder = LocalizedText("what do you want to do?", ko: "무엇을 하시겠어요?")
    static let noCommand = LocalizedText("No command has these letters.", ko: "맞는 명령이 없습니다.")
    static let theme = LocalizedText("Theme", ko: "테마")
    static let language = LocalizedText("Language", ko: "언어")
    static let draw = LocalizedText("Pictures", ko: "사진")
    static let showsPicture = LocalizedText("Picture beside the todos", ko: "할 일 옆에 사진 보기")
    static let pictureInterval = LocalizedText("New picture", ko: "새 사진")
    static let dates = LocalizedText("Dates", ko: "날짜")
    static let week = LocalizedText("Week from", ko: "한 주의 시작")
    static let view = LocalizedText("Start with", ko: "첫 목록")
    static let noView = LocalizedText("all todos", ko: "모든 할 일")
    static let reminder = LocalizedText("Remind", ko: "알림")
    static let syncInterval = LocalizedText("Sync every", ko: "동기화 간격")
    static let changeKeys = LocalizedText("Change keys", ko: "단축키 바꾸기")
    static let breed = LocalizedText("Choose a breed", ko: "품종 고르기")
    static let folders = [
        LocalizedText("Todos are in", ko: "할 일 폴더"), LocalizedText("Settings are in", ko: "설정 폴더"),
    ]

    /// Returns the name of a theme.
    static func name(_ palette: Preferences.Palette) -> LocalizedText {
        switch palette {
        case .flavour: LocalizedText("standard", ko: "기본")
        case .blue: LocalizedText("blue", ko: "파랑")
        case .green: LocalizedText("green", ko: "초록")
        case .purple: LocalizedText("purple", ko: "보라")
        case .red: LocalizedText("red", ko: "빨강")
        case .gray: LocalizedText("grey", ko: "회색")
        case .contrast: LocalizedText("high contrast", ko: "고대비")
        }
    }

    /// Returns an example of a form of dates.
    static func name(_ format: DateStyle.Format) -> LocalizedText {
        switch format {
        case .words: LocalizedText("24 Dec", ko: "12월 24일")
        case .iso: LocalizedText(verbatim: "2026-12-24")
        case .dmy: LocalizedText(verbatim: "24.12.2026")
        case .mdy: LocalizedText(verbatim: "12/24/2026")
        }
    }

    /// Returns the name of the first day of a week.
    static func name(_ weekday: DateStyle.Weekday) -> LocalizedText {
        switch weekday {
        case .monday: LocalizedText("Monday", ko: "월요일")
        case .saturday: LocalizedText("Saturday", ko: "토요일")
        case .sunday: LocalizedText("Sunday", ko: "일요일")
        }
    }

    /// Returns when the screen reminds of a todo; `nil` for never.
    static func name(reminder minutes: Int?) -> LocalizedText {
        switch minutes {
        case nil: LocalizedText("never", ko: "안 함")
        case 0: LocalizedText("when due", ko: "마감 시각")
        case let minutes?: LocalizedText("\(minutes) min before", ko: "\(minutes)분 전")
        }
    }

    /// Returns the time between two syncs; 0 for no regular ones.
    static func name(interval minutes: Int?) -> LocalizedText {
        guard let minutes, minutes > 0 else { return LocalizedText("on changes only", ko: "바뀔 때만") }
        return LocalizedText("\(minutes) min", ko: "\(minutes)분")
    }

    /// Returns the time between two new pictures; `nil` or 0 for none.
    static func name(pictureInterval minutes: Int?) -> LocalizedText {
        guard let minutes, minutes > 0 else { return LocalizedText("on request", ko: "누를 때만") }
        return LocalizedText("every \(minutes) min", ko: "\(minutes)분마다")
    }

    /// The label of the choices of a theme, in the command palette.
    static let themeChoice = LocalizedText("theme", ko: "테마")

    /// Returns the name of a language; `nil` for the one of the environment.
    static func name(_ language: AppLanguage?) -> LocalizedText {
        switch language {
        case nil: LocalizedText("of the system", ko: "시스템 언어")
        case .english: LocalizedText(verbatim: "English")
        case .korean: LocalizedText(verbatim: "한국어")
        }
    }

    /// Returns the name of a way of drawing.
    static func name(_ draw: PictureChoice) -> LocalizedText {
        switch draw {
        case .auto: LocalizedText("automatic", ko: "자동")
        case .kitty: LocalizedText(verbatim: "kitty")
        case .iterm: LocalizedText(verbatim: "iTerm")
        case .sixel: LocalizedText(verbatim: "sixel")
        case .half: LocalizedText("half-blocks", ko: "반 블록")
        case .quarter: LocalizedText("quadrants", ko: "사분 블록")
        case .ascii: LocalizedText("characters", ko: "글자")
        case .none: LocalizedText("in words", ko: "말로")
        }
    }

    static let quitQuestion = LocalizedText("Quit and discard the text?", ko: "입력한 내용을 버리고 끝낼까요?")
    static let stay = LocalizedText("Stay", ko: "계속하기")

    /// Returns a greeting.
    static func welcome(_ name: String) -> LocalizedText {
        LocalizedText("Welcome, \(name).", ko: "\(name) 님, 환영합니다.")
    }

    /// Returns who is signed in.
    static func description(of session: AccountSession) -> LocalizedText {
        switch session {
        case .signedOut: LocalizedText("You are not logged in.", ko: "로그인하지 않았습니다.")
        case .guest: LocalizedText("You are a guest.", ko: "손님으로 사용 중입니다.")
        case .signedIn(let profile): CommonText.loggedIn(as: profile.displayName)
        }
    }

    /// Returns the text that would be lost.
    static func unsaved(_ text: [String]) -> LocalizedText {
        let list = text.joined(separator: ", ")
        return LocalizedText("Not saved: \(list)", ko: "저장되지 않음: \(list)")
    }
}
