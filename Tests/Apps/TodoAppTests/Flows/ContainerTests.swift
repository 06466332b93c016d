import AccountCore
import AppLanguage
import AppTestSupport
import AppUI
import Foundation
import RIBs
import TerminalTesting
import TerminalUI
import TestSupport
import Testing
import TodoCore

@testable import TodoApp

@Suite("The containers of the app", .timeLimit(.minutes(3)))
@MainActor
struct ContainerTests {
    @Test("Drawer, toolbar, snackbar and navigation are nested in exactly that order, with the drawer fixed")
    func order() async throws {
        let screen = try await AppOnScreen(width: 100, height: 30)
        let root = try #require(screen.root.viewControllable as? RootViewController)
        let drawer = try #require(root.children.first as? DrawerController)
        let toolbar = try #require(drawer.content as? ToolbarController)
        let snackbar = try #require(toolbar.content as? SnackbarController)
        let navigation = try #require(snackbar.content as? NavigationController)
        #expect(root.children.count == 1)
        #expect(navigation.topViewController is HomeViewController)
        await screen.type("o")
        #expect(navigation.viewControllers.count == 2)
        #expect(root.children.first === drawer, "the drawer stays while screens come and go")
    }

    @Test("Both drawers open and close by key and by mouse, with the menu at the left and the settings at the right")
    func drawers() async throws {
        let screen = try await AppOnScreen(width: 100, height: 30)
        await screen.type("m")
        let menu = try #require(screen.app.screen.find("Log in"))
        #expect(menu.x < 32)
        await screen.type("m")
        #expect(!screen.text.contains("Log in"))
        #expect(await screen.app.click(on: "Settings"))
        let consent = try #require(screen.app.screen.find("Log in automatically"))
        #expect(consent.x > 60)
        await screen.app.press(.escape)
        #expect(!screen.text.contains("Log in automatically"))
        #expect(await screen.app.click(on: "Menu"))
        await screen.app.click(GridPoint(x: 90, y: 15))
        #expect(!screen.text.contains("Log in"), "a click outside closes the panel")
    }

    @Test("The menu leads to the profile, by Down and Enter as well as by a click, and to the keys")
    func menu() async throws {
        let screen = try await AppOnScreen(width: 60, height: 20)
        await screen.type("m")
        try await screen.press(.down, .down, .enter, waitingFor: "/data/dog")
        await screen.app.press(.escape)
        await screen.type("m")
        #expect(await screen.app.click(on: "Keys"))
        #expect(screen.text.contains("Keys ──") && screen.text.contains("i      edit the line"))
    }

    @Test(
        "The menu has the views, and the lists with their colours and the present numbers of their todos, and shows one from any screen",
        arguments: [AppLanguage.english, .korean]
    )
    func lists(_ language: AppLanguage) async throws {
        let screen = try await AppOnScreen(width: 60, height: 24, todos: ["milk"], language: language)
        screen.services.store.listsOfStore = [TodoList(name: "Work", color: "#FF0000"), TodoList(name: "Garden")]
        try await screen.type("m", waitingFor: "■ Garden")
        let root = try #require(screen.root.viewControllable as? RootViewController)
        let drawer = try #require(root.children.first as? DrawerController)
        #expect(drawer.left?.view.containsFirstResponder == true, "the lists arrive after the menu has opened")
        let mark = try #require(screen.app.screen.find("■ Work"))
        #expect(screen.text.contains(RootText.lists(language)))
        #expect(screen.app.screen.row(mark.y)[mark.x].style.foreground == .hex(0xFF0000))
        try await screen.click(on: "■ Work", waitingFor: "─ Work: 0 ")
        for (count, title) in ["bread", "report"].enumerated() {
            try await screen.type("n\(title)\n", waitingFor: "─ Work: \(count + 1) ")
            await screen.app.press(.escape)
            await screen.type("m")
            try await screen.wait { text in
                text.split(separator: "■ Work").last?.drop { $0 == " " }.hasPrefix("\(count + 1)  5") == true
            }
            await screen.type("m")
        }
        await screen.type("o")
        try await screen.click(on: RootText.menu(language), waitingFor: "■ Garden")
        try await screen.click(on: "■ Garden", waitingFor: "─ Garden: 0 ")
        await screen.type("m")
        try await screen.click(
            on: TodoView.builtIn[0].title(language),
            waitingFor: "─ \(TodoView.builtIn[0].title(language)): 0 "
        )
        #expect(screen.services.store.takeCalls() == [.add("bread"), .add("report")])
    }

    @Test("A button of the menu that is pressed while the lists arrive is clicked, and the focus stays in the menu")
    func listsDuringClick() async throws {
        let screen = try await AppOnScreen(width: 60, height: 24, todos: ["milk"])
        try await screen.type("m", waitingFor: "Next seven days")
        let root = try #require(screen.root.viewControllable as? RootViewController)
        let drawer = try #require(root.children.first as? DrawerController)
        for name in ["Work", "Garden"] {
            let place = try #require(screen.app.screen.find(name == "Work" ? "Keys" : "Favourites"))
            await screen.app.mouse(.down(.left), at: place)
            screen.services.store.listsOfStore.append(TodoList(name: name))
            root.listener?.didOpenMenu()
            try await screen.wait(for: "■ \(name)")
            #expect(drawer.left?.view.containsFirstResponder == true)
            await screen.app.mouse(.up(.left), at: place)
            #expect(screen.text.contains(name == "Work" ? "Keys ──" : "No favourites"))
            guard name == "Work" else { continue }
            await screen.app.press(.escape)
            try await screen.type("m", waitingFor: "■ Work")
        }
    }

    @Test("The consent to automatic login is changed in the settings")
    func consent() async throws {
        let screen = try await AppOnScreen(width: 100, height: 30)
        await screen.type(",")
        try await screen.click(on: "[ ] Log in automatically", waitingFor: "[x] Log in automatically")
        try await eventually { screen.services.accountFake.takeCalls().contains(.setConsent(true)) }
    }

    @Test("The title has the flavour's own colour on the bar, and none without colours")
    func titleColor() async throws {
        let screen = try await AppOnScreen(width: 100, height: 30)
        let title = try #require(screen.app.screen.find("Dog"))
        #expect(screen.app.screen.row(0)[title.x].style.foreground == .hex(screen.services.app.appearance.titleColor))
        #expect(
            screen.app.screen.row(0)[title.x].style.background == screen.services.app.appearance.theme.bar.background
        )
    }

    @Test("A snackbar closes by its button and by itself, and offers undo")
    func snackbar() async throws {
        let screen = try await AppOnScreen(width: 60, height: 20, todos: ["walk", "run"])
        try await screen.type("d", waitingFor: "Deleted: walk")
        #expect(await screen.app.click(on: "✕"))
        #expect(!screen.text.contains("Deleted: walk"))
        try await screen.wait(for: "1 open, 0 done")
        try await screen.type("d", waitingFor: "Deleted: run")
        try await screen.wait { !$0.contains("[ ] run") }
        try await screen.click(on: "Undo", waitingFor: "Undone: deleting \"run\"")
        try await screen.wait(for: "[ ] run")
        _ = screen.services.store.takeCalls()
    }

    @Test(
        "The hint line shows the keys of what has the focus: Enter and Escape while text is typed, not the list's keys"
    )
    func hints() async throws {
        let screen = try await AppOnScreen(width: 100, height: 30, todos: ["walk"])
        #expect(screen.line(29).contains("p picture") && screen.line(29).contains("? keys"))
        await screen.type("n")
        #expect(screen.line(29).contains("enter accept"))
        #expect(!screen.line(29).contains("p picture") && !screen.line(29).contains("q quit"))
        await screen.app.press(.escape)
        await screen.type("m")
        #expect(screen.line(29).contains("esc close") && screen.line(29).contains("enter press"))
        await screen.app.press(.escape)
        await screen.app.resize(GridSize(width: 100, height: 12))
        #expect(screen.line(11).contains("o profile") && !screen.line(11).contains("picture"), "there is none")
    }

    @Test(
        "In the details and the calendar, ? lists the keys of the sheet alone, and Ctrl-C quits",
        arguments: [("\n", "edit as text"), ("t", "month after")]
    )
    func keysOfSheet(opening: String, key: String) async throws {
        let screen = try await AppOnScreen(width: 60, height: 30, todos: ["walk"])
        #expect(!screen.root.showKeys(for: .character("?")), "the screen itself handles it")
        screen.app.application.onKey = { [weak root = screen.root] in root?.showKeys(for: $0) ?? false }
        await screen.type(opening)
        // Twice: a list has no list of its own.
        await screen.type("x??")
        #expect(screen.text.contains("─ Keys ") && screen.text.contains(key) && !screen.text.contains("sync settings"))
        await screen.app.press(.escape)
        #expect(!screen.text.contains("─ Keys "))
        await screen.type("?")
        #expect(screen.app.exitCode == nil)
        await screen.app.press(.control("c"))
        #expect(screen.app.exitCode == 130)
    }

    @Test("? lists every key that the hint line can show on the screen", arguments: AppLanguage.allCases)
    func keys(language: AppLanguage) async throws {
        let screen = try await AppOnScreen(width: 100, height: 40, todos: ["walk"], language: language)
        await screen.type("?")
        for hint in [HomeText.picture, HomeText.profile, HomeText.quit, RootText.menu, RootText.settings] {
            #expect(screen.text.contains("  \(hint(language))"))
        }
    }

    @Test("The settings choose theme, language, drawing and picture, which are stored, and list the folders")
    func settings() async throws {
        let folder = try TemporaryDirectory("settings")
        let settings = UserSettings(
            environment: ["XDG_CONFIG_HOME": folder.path],
            dataDirectory: "/data/dog",
            accent: 0xB4631C
        )
        let screen = try await AppOnScreen(width: 100, height: 40, userSettings: settings)
        settings.apply = { [weak app = screen.app.application, weak settings] _ in
            if let settings { app?.window.baseTheme = settings.theme }
        }
        await screen.type(",")
        for text in [
            "Theme", "of the system", "automatic", "[x] Picture beside the todos", "/data/dog", "Settings are in",
        ] {
            #expect(screen.text.contains(text), "\(text) in\n\(screen.text)")
        }
        let bar = screen.app.screen[0, 0].style.background
        // From the check box of the login to the theme, whose next choice applies at once, and then to the language.
        await screen.app.press(.tab, .enter, .down)
        #expect(screen.app.screen[0, 0].style.background != bar, "the colours are shown before they are chosen")
        await screen.app.press(.escape)
        #expect(settings.preferences.palette == .flavour && screen.app.screen[0, 0].style.background == bar)
        await screen.app.press(.right)
        #expect(settings.preferences.palette == .blue && screen.app.screen[0, 0].style.background != bar)
        await screen.app.press(.tab, .right, .right)
        #expect(settings.preferences.language == .korean, "the panel keeps the focus")
        await screen.app.press(.tab, .right)
        #expect(await screen.app.click(on: "Picture beside"))
        #expect(Preferences(["XDG_CONFIG_HOME": folder.path]) == settings.preferences)
        #expect(settings.preferences.draw == .kitty && !settings.preferences.showsPicture)
    }

    @Test("The settings choose dates, the first weekday, the first list, reminders and the interval of the sync")
    func planning() async throws {
        let folder = try TemporaryDirectory("settings")
        try folder.write(#"{"remind": 7}"#, to: "pawkit/config.json")
        let environment = ["XDG_CONFIG_HOME": folder.path]
        let settings = UserSettings(Preferences(environment), environment: environment, dataDirectory: "/data")
        let screen = try await AppOnScreen(width: 100, height: 50, userSettings: settings)
        screen.services.store.queries = ["house": "+home"]
        await screen.type(",")
        for (title, before, after) in [
            ("Dates", "24 Dec", "2026-12-24"), ("Week from", "Monday", "Saturday"), ("Remind", "7 min before", "never"),
            ("Sync every", "5 min", "15 min"), ("New picture", "on request", "every 60 min"),
            ("Start with", "all todos", "Today"),
        ] {
            let row = try #require(screen.text.split(separator: "\n").first { $0.contains(title) })
            #expect(row.contains(before), "\(row)")
            #expect(await screen.app.click(on: before))
            #expect(await screen.app.click(on: after))
            #expect(
                screen.text.split(separator: "\n").contains { $0.contains(title) && $0.contains(after) },
                "\(title)"
            )
        }
        let stored = Preferences(environment)
        #expect(stored == settings.preferences && stored.dates.format == .iso && stored.dates.firstWeekday == .saturday)
        #expect(stored.reminder == nil && stored.syncInterval == 15 && stored.view == "today")
        #expect(stored.pictureInterval == 60)
    }

    @Test("Dates and the calendar follow the settings", arguments: AppLanguage.allCases)
    func dates(language: AppLanguage) async throws {
        var preferences = Preferences()
        (preferences.dates.format, preferences.dates.firstWeekday) = (.dmy, .sunday)
        let screen = try await AppOnScreen(
            width: 100,
            height: 30,
            todos: ["pay due:2026-12-24", "walk due:2026-03-01"],
            language: language,
            userSettings: UserSettings(preferences)
        )
        try await screen.wait(for: "24.12.2026")
        #expect(screen.text.contains("! 01.03.2026"))
        try await screen.type("t", waitingFor: language == .english ? "Su       Mo" : "일       월")
        try await screen.type("\u{1B}ncall due:eow", waitingFor: language == .english ? "▸ tomorrow" : "▸ 내일")
        await screen.type("\n")
        try await screen.wait { $0.contains("call") && $0.contains(language == .english ? "› tomorrow" : "› 내일") }
        _ = screen.services.store.takeCalls()
    }

    @Test("The command palette finds commands of the list, the menu and the settings, also while text is typed")
    func palette() async throws {
        let screen = try await AppOnScreen(width: 100, height: 30, todos: ["walk", "another"])
        try await screen.type(":title\n", waitingFor: "by title")
        await screen.type("nmilk")
        await screen.app.press(.control("p"))
        try await screen.type("프로필\n", waitingFor: "/data/dog")
        await screen.app.press(.escape)
        await screen.type(":quit")
        #expect(screen.text.split(separator: "\n").contains { $0.contains("│ quit  ") && $0.contains(" q ") })
        await screen.app.press(.escape)
        await screen.type(":commands\n")
        #expect(screen.text.contains("what do you want to do?"), "the palette is one of its own commands")
        await screen.app.press(.escape)
        try await screen.type(":change keys\n", waitingFor: "Enter and then a key")
        await screen.app.press(.escape)
        #expect(!screen.text.contains("Enter and then a key"))
    }

    @Test("The entry line is above the list and the picture, and its keys are those of the list")
    func entry() async throws {
        let screen = try await AppOnScreen(width: 100, height: 30, todos: ["walk"])
        let field = screen.app.screen[0, 1].style
        #expect(screen.app.screen[99, 1].style == field && screen.line(1).contains("What is to be done?"))
        await screen.type("nmilk\u{1B}")
        #expect(screen.line(29).contains("n new"), "Escape returns to the list")
        try await screen.type("n +x\n", waitingFor: "milk")
        _ = screen.services.store.takeCalls()
    }
}
