import AppLanguage
import AppUI
import Foundation
import TerminalUI
import TestSupport
import Testing
import TodoCore

@testable import TodoApp

@Suite("The settings in config.json")
@MainActor
struct PreferencesTests {
    private let folder: TemporaryDirectory
    private var environment: [String: String] { ["XDG_CONFIG_HOME": folder.path, "LANG": "ko_KR.UTF-8"] }

    init() throws { folder = try TemporaryDirectory("preferences") }

    private func write(_ text: String) throws { try folder.write(text, to: "pawkit/config.json") }

    private func members() throws -> [String: Any] {
        let data = try Data(contentsOf: folder.file("pawkit/config.json"))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test("Every setting is stored under its key and read again; a default is removed, other members and links stay")
    func roundTrip() throws {
        #expect(Preferences(environment) == Preferences())
        try write(#"{"other": [1], "urgency": {"mine": 1}}"#)
        let (file, target) = (folder.file("pawkit/config.json"), folder.file("dotfile.json"))
        try FileManager.default.moveItem(at: file, to: target)
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
        let values = [
            "theme": "blue", "language": "ko", "draw": "none", "picture": "false", "dates": "dmy", "week": "sunday",
            "view": "today", "sort": "-due,title", "remind": "15", "sync.interval": "0",
            "pictures.interval": "5", "data": "/srv/todos",
        ]
        for setting in Setting.all {
            let value = values[setting.key] ?? "0.5"
            guard setting.key != "urgency.ageLimit" else { continue }
            var preferences = Preferences(environment)
            try preferences.set(setting, value)
            #expect(preferences != Preferences(environment) && setting.text(preferences) == value, "\(setting.key)")
            try preferences.save([setting.key], environment)
            #expect(setting.text(Preferences(environment)) == value, "\(setting.key)")
        }
        let read = Preferences(environment)
        #expect(read.palette == .blue && read.dates.firstWeekday == .sunday && read.reminder == 15)
        #expect(read.syncPause == nil && Preferences().syncPause == .seconds(300))
        for setting in Setting.all {
            var preferences = Preferences(environment)
            try preferences.set(setting, nil)
            try preferences.save([setting.key], environment)
        }
        #expect(try Set(members().keys) == ["other", "urgency"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file.path) == target.path)
        #expect(Preferences(environment).keys(changedFrom: Preferences()).isEmpty)
    }

    @Test("Settings that are stored at the same time are all stored")
    func concurrent() async throws {
        let keys = Setting.all.map(\.key).filter { $0.hasPrefix("urgency.") && $0 != "urgency.ageLimit" }
        let environment = environment
        try await withThrowingTaskGroup(of: Void.self) { group in
            for key in keys {
                group.addTask {
                    var preferences = Preferences()
                    try preferences.set(Setting.named(key), "0.25")
                    try preferences.save([key], environment)
                }
            }
            try await group.waitForAll()
        }
        let read = Preferences(environment)
        #expect(try keys.count > 10 && keys.allSatisfy { try Setting.named($0).text(read) == "0.25" })
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("pawkit").path) == ["config.json"])
    }

    @Test("An invalid member is reported once with the possible values, and the others apply")
    func invalid() throws {
        try write(
            #"{"theme": "pink", "language": "ko", "draw": "oil", "picture": 1, "sort": 5, "sync": 5, "remind": -1, "view": null,"#
                + #""urgency": {"due": "x", "deu": 1, "age": 1}, "langauge": "ko", "pictures": {"intervall": 5}, "#
                + #""sync.interval": 5, "other": {"a": 1}}"#
        )
        let preferences = Preferences(environment)
        let problems = preferences.problems.map(\.english)
        for text in [
            "theme: write one of default, blue", "draw: write one of auto", "picture: write true or false",
            "sort: write a text", #"sync: write an object such as {"interval": 5}"#,
            "remind: write a number of minutes",
            "urgency.due: write a number", #"no setting "urgency.deu"; did you mean "urgency.due"?"#,
            #"no setting "langauge"; did you mean "language"?"#, #"no setting "other"; `config get` lists them"#,
            #"no setting "pictures.intervall"; did you mean "pictures.interval"?"#,
            #"sync.interval: write {"sync": {"interval": 5}}"#,
        ] {
            #expect(
                problems.count { $0.hasPrefix("config.json: ") && $0.contains(text) } == 1,
                "\(text) in \(problems)"
            )
        }
        #expect(problems.count == 12 && preferences.urgency.value("age") == 1)
        #expect(preferences.language == .korean && preferences.palette == .flavour && preferences.syncInterval == 5)
        try write(#"{"urgency": 5}"#)
        #expect(Preferences(environment).problems.map(\.korean).count == 1)
    }

    @Test(
        "A value at a limit is accepted, and one beyond it is not",
        arguments: [
            ("data", "/a", true), ("data", "a", false), ("data", "", false), ("data", "/a\0b", false),
            ("remind", "0", true), ("remind", "10080", true), ("remind", "10081", false), ("remind", "-1", false),
            ("remind", "1.5", false), ("sync.interval", "60.0", true), ("picture", "true", true),
            ("picture", "1", false),
            ("theme", "Blue", false), ("week", "monday", true), ("sort", "due,-title", true), ("sort", "deu", false),
            ("urgency.due", "-2.5", true), ("urgency.due", "high", false),
        ]
    )
    func limits(key: String, text: String, isValid: Bool) throws {
        var preferences = Preferences()
        let setting = try Setting.named(key)
        if isValid {
            try preferences.set(setting, text)
        } else {
            #expect(throws: (any Error).self) { try preferences.set(setting, text) }
            #expect(preferences == Preferences())
        }
    }

    @Test("A file that is no JSON object is reported and not replaced")
    func damaged() throws {
        try write("not JSON")
        #expect(Preferences(environment).problems.count == 1)
        let settings = UserSettings(environment: environment)
        var preferences = Preferences()
        preferences.palette = .red
        #expect(throws: ConfigurationFile.WriteError.self) { try settings.save(preferences) }
        #expect(settings.preferences.palette == .flavour)
        #expect(try String(contentsOf: folder.file("pawkit/config.json"), encoding: .utf8) == "not JSON")
        #expect(throws: ConfigurationFile.WriteError.noFolder) { try UserSettings().save(preferences) }
        let inTheWay = folder.file("pawkit/config.json").path
        let failure = ConfigurationFile.WriteError.failed(
            path: inTheWay + "/a/pawkit/config.json",
            reason: "Not a directory"
        )
        #expect(throws: failure) { try preferences.save(["theme"], ["XDG_CONFIG_HOME": inTheWay + "/a"]) }
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
        preferences.dates.format = .iso
        try settings.save(preferences)
        preferences.pictureInterval = 5
        try settings.save(preferences)
        #expect(preferences.picturePause == .seconds(300) && restarts == 4 && settings.language == .english)
        try settings.save([.character("z"), Key(.function(2))], of: "home.quit")
        #expect(settings.keyMap.action(.character("z"), of: HomeAction.self) == .quit)
        #expect(settings.keyMap != .standard && settings.keyMap.problems.isEmpty)
        try settings.save(nil, of: "home.quit")
        #expect(settings.keyMap == .standard)
    }
}
