import Foundation
import TestSupport
import Testing

@testable import ICalendar

/// The package icalendar of PyPI and the calendars in it.
private enum Peer {
    static let packages = Project.root.appending(path: ".build/icalendar")

    static let isInstalled =
        Programs.find("python3") != nil && FileManager.default.fileExists(atPath: packages.path + "/icalendar")

    static func run(_ script: String, _ arguments: [String]) throws -> Data {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Peers")
        let program = try #require(Programs.find("env"))
        let path = folder.appending(path: script).path
        return try Programs.run(program, ["PYTHONPATH=\(packages.path)", "python3", path] + arguments)
    }

    static func calendars() -> [URL] {
        let found = FileManager.default.enumerator(at: packages, includingPropertiesForKeys: nil)
        return (found?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "ics" }.sorted { $0.path < $1.path }
    }
}

@Suite(
    "Calendars of other people",
    .enabled(if: Peer.isInstalled, "icalendar is missing: .ci/run installs it")
)
struct PeerTests {
    private struct Line: Decodable, Equatable, CustomStringConvertible {
        var name: String
        var parameters: [String: [String]]
        var value: String

        init(_ name: String, _ value: String, _ parameters: [String: [String]] = [:]) {
            (self.name, self.parameters, self.value) = (name, parameters, value)
        }

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            name = try container.decode(String.self)
            let parameters = try container.decode([String: [String]].self)
            self.parameters = Dictionary(parameters.map { ($0.key.uppercased(), $0.value) }) { $1 }
            value = try container.decode(String.self)
        }

        var description: String { "\(name) \(parameters) \(value)" }
    }

    private func lines(_ component: ICalendarComponent) -> [Line] {
        component.items.flatMap { item -> [Line] in
            switch item {
            case .property(let property):
                let parameters = property.parameters.map { ($0.name, $0.values) }
                return [Line(property.name, property.value, Dictionary(parameters) { $1 })]
            case .component(let inner):
                return [Line("BEGIN", inner.name)] + lines(inner) + [Line("END", inner.name)]
            case .other: return []
            }
        }
    }

    /// Files that icalendar reads as RFC 5545 does not: with escapes in parameters, and with spaces in names.
    private static let lenient = [
        "event_with_escaped_character", "issue_351_whitespace", "issue_61_time_zone_error",
    ]

    @Test("Each calendar is written as it was read, and has the lines that icalendar reads")
    func corpus() throws {
        let files = Peer.calendars()
        #expect(files.count > 100)
        let output = String(decoding: try Peer.run("read.py", files.map(\.path)), as: UTF8.self)
        var compared = 0
        for (file, json) in zip(files, output.split(separator: "\n")) {
            let bytes = Array(try Data(contentsOf: file))
            let document = ICalendarDocument(bytes)
            #expect(document.bytes == bytes, "\(file.lastPathComponent)")
            guard document.problems.isEmpty, json != "null",
                !Self.lenient.contains(where: { file.lastPathComponent.hasPrefix($0) })
            else { continue }
            let peer = try JSONDecoder().decode([Line].self, from: Data(json.utf8)).map { line in
                ["BEGIN", "END"].contains(line.name) ? Line(line.name, line.value.uppercased()) : line
            }
            let own = lines(document.root)
            let difference = zip(own, peer).first { $0 != $1 }
            #expect(
                own.count == peer.count && difference == nil,
                "\(file.lastPathComponent): \(own.count) \(peer.count) \(String(describing: difference))"
            )
            compared += 1
        }
        #expect(compared > 100, "\(compared) of \(files.count)")
    }

    @Test("icalendar reads the texts that are written")
    func texts() throws {
        let texts = ICalendarSamples.texts
        let tasks = texts.enumerated().map { index, text in
            ICalendarComponent(
                "VTODO",
                properties: [
                    ICalendarProperty("UID", value: "\(index)"), ICalendarProperty("SUMMARY", text: text),
                    ICalendarProperty("ATTENDEE", [("CN", text)], value: "mailto:dog@example.org"),
                    ICalendarProperty("CATEGORIES", value: ICalendarText.escaped(text) + ",x"),
                ]
            )
        }
        let folder = try TemporaryDirectory("ics")
        let file = folder.url.appending(path: "texts.ics")
        try Data(ICalendarComponent("VCALENDAR", components: tasks).bytes).write(to: file)
        let read = try JSONSerialization.jsonObject(with: try Peer.run("texts.py", [file.path])) as? [[Any]]
        #expect(read?.map { $0[0] as? String } == texts)
        // It reads a backslash in a parameter as an escape, which RFC 5545 does not have.
        let names = zip(texts, read ?? []).filter { !$0.0.contains("\\") }
        #expect(names.count > 5 && names.map { $0.1[1] as? String } == names.map(\.0))
        #expect(read?.map { $0[2] as? [String] } == texts.map { [$0, "x"] })
    }
}
