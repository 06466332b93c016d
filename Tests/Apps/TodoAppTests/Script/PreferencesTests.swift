import AppLanguage
import AppUI
import Foundation
import TerminalUI
import TestSupport
import Testing

@testable import TodoApp

@Suite("The settings in config.json")
@MainActor
struct PreferencesTests {
    private let folder: TemporaryDirectory
    private var environment: [String: String] { ["XDG_CONFIG_HOME": folder.path, "LANG": "ko_KR.UTF-8"] }

    init() throws { folder = try TemporaryDirectory("preferences") }

    private func write(_ text: String) throws {
        try FileManager.default.createDirectory(at: folder.file("pawkit"), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: folder.file("pawkit/config.json"))
    }

    private func members() throws -> [String: Any] {
        let data = try Data(contentsOf: folder.file("pawkit/config.json"))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test("Every choice is read from the file as it was stored, and other members of the file stay")
    func roundTrip() throws {
        #expect(Preferences(environment) == Preferences())
        try write(#"{"urgency": {"due": 10}, "theme": "blue"}"#)
        for palette in Preferences.Palette.allCases {
            for draw in PictureChoice.allCases {
                for language in [nil] + AppLanguage.allCases.map(Optional.some) {
                    let before = Preferences(environment)
                    var preferences = before
                    (preferences.palette, preferences.draw, preferences.language) = (palette, draw, language)
                    preferences.showsPicture.toggle()
                    try preferences.save(over: before, environment)
                    #expect(Preferences(environment) == preferences)
                }
            }
        }
        #expect((try members()["urgency"] as? [String: Int]) == ["due": 10])
    }

    @Test("The time between two syncs is five minutes, what the file says, or none")
    func syncInterval() throws {
        for (text, interval) in [
            ("{}", .seconds(300)), (#"{"sync": {"interval": 15}}"#, .seconds(900)),
            (#"{"sync": {"interval": 0}}"#, nil),
            (#"{"sync": 5}"#, .seconds(300)),
        ] as [(String, Duration?)] {
            try write(text)
            #expect(UserConfiguration(environment).syncInterval == interval, "\(text)")
        }
    }

    @Test("An invalid member is reported with the possible values, and the others apply")
    func invalid() throws {
        try write(#"{"theme": "pink", "language": "ko", "draw": "oil", "picture": false, "sort": 5}"#)
        let preferences = Preferences(environment)
        #expect(preferences.problems.count == 2)
        // The settings of the todos are in the same file.
        let other = try #require(UserConfiguration(environment).problem)
        #expect(!preferences.problems.contains(other))
        #expect(preferences.problems.first?.english.contains("config.json: theme: write one of default, blue") == true)
        #expect(preferences.language == .korean && !preferences.showsPicture && preferences.palette == .flavour)
    }

    @Test("A file that is no JSON object is reported and not replaced")
    func damaged() throws {
        try write("not JSON")
        #expect(Preferences(environment).problems == [UserConfiguration(environment).problem], "reported once")
        let settings = UserSettings(environment: environment)
        var preferences = Preferences()
        preferences.palette = .red
        #expect(throws: ConfigurationFile.WriteError.self) { try settings.save(preferences) }
        #expect(settings.preferences.palette == .flavour)
        #expect(try String(contentsOf: folder.file("pawkit/config.json"), encoding: .utf8) == "not JSON")
        #expect(throws: ConfigurationFile.WriteError.noFolder) { try UserSettings().save(preferences) }
    }

    @Test("Colours apply at once; another language and the picture show all screens anew; keys are stored for both")
    func apply() throws {
        let settings = UserSettings(environment: environment, accent: 0xB4631C)
        var (applied, restarts) = ([Preferences.Palette](), 0)
        settings.apply = { applied.append($0.palette) }
        settings.restart = { restarts += 1 }
        var preferences = settings.preferences
        try settings.save(preferences)
        #expect(applied.isEmpty, "nothing was changed")
        preferences.palette = .green
        try settings.save(preferences)
        #expect(applied == [.green] && restarts == 0)
        #expect(settings.theme == preferences.theme(accent: 0xB4631C))
        #expect(settings.theme != Preferences().theme(accent: 0xB4631C))
        #expect(settings.language == .korean)
        preferences.language = .english
        try settings.save(preferences)
        preferences.showsPicture = false
        try settings.save(preferences)
        #expect(restarts == 2 && settings.language == .english)
        try settings.save([.character("z"), Key(.function(2))], of: "home.quit")
        #expect(settings.keyMap.action(.character("z"), of: HomeAction.self) == .quit)
        #expect(settings.keyMap != .standard && settings.keyMap.problems.isEmpty)
        try settings.save(nil, of: "home.quit")
        #expect(settings.keyMap == .standard)
    }
}
