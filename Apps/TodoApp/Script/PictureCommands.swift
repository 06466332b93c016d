import AccountCore
import CommandKit
import PictureCore
import Pictures
import TerminalUI
import TextEscaping

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The `picture` and `breeds` commands, over the service that the screen uses too.
@MainActor
struct PictureCommands {
    let service: any PictureServing
    let settings: any SettingsStoring
    let configuration: Configuration
    /// The cells of standard output.
    let terminalSize: Size

    /// Fetches a picture and draws it; without a network, the last or the bundled one, with a notice.
    func picture(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        let room = try room(command)
        var result = ScriptResult()
        var shown: FetchedPicture
        var source = PictureSource.network
        var failure: PictureFailure?
        do throws(PictureFailure) {
            var breed = command.value("breed")
            if breed == nil { breed = (try? await settings.settings())?.favouriteBreed }
            shown = try await service.fetch(breed: breed)
        } catch .noSuchBreed(let name) {
            throw ScriptFailure(.noSuchBreed(name))
        } catch {
            failure = error
            shown = await service.last()
            source = shown.reference == nil ? .bundled : .last
            result.exitCode = .network
            result.notices.append("\(error)")
            result.notices.append(source == .last ? "here is the last picture instead" : "here is one of ours instead")
        }
        let renderer = renderer(command)
        let decoded = try await decode(shown, fitting: renderer.pixelSize(columns: room.width, rows: room.height))
        result.notices += decoded.warnings.map { "\($0)" }
        let saved = failure == nil ? try save(shown, command) : nil
        if command.has("json") {
            result.output =
                ScriptResult.json(
                    PictureDocument(
                        picture: shown,
                        decoded: decoded,
                        source: source,
                        saved: saved,
                        notice: failure.map { "\($0)" }
                    )
                ).output
        } else if command.value("draw") == "none" {
            result.output = description(of: shown, decoded, saved: saved)
        } else {
            result.output = renderer.text(decoded.picture, columns: room.width, rows: room.height)
            result.output += caption(of: shown)
        }
        return result
    }

    /// Lists the breeds.
    func breeds(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        let breeds: [Breed]
        do {
            breeds = try await service.breeds()
        } catch {
            throw ScriptFailure(error)
        }
        if command.has("json") { return .json(["breeds": breeds]) }
        return ScriptResult(
            output: breeds.map { "\($0.id.escapingControls(limit: 80))  \($0.name.escapingControls(limit: 80))\n" }
                .joined()
        )
    }

    // MARK: - Parts

    private func decode(
        _ picture: FetchedPicture,
        fitting size: PixelSize
    ) async throws(ScriptFailure) -> DecodedPicture {
        do {
            return try await service.decode(picture, fitting: size)
        } catch {
            throw ScriptFailure(error)
        }
    }

    /// The cells to draw into: as asked for, or the terminal less the lines that a prompt takes.
    private func room(_ command: AppCommand) throws(ScriptFailure) -> Size {
        try command.size() ?? Size(width: terminalSize.width, height: max(1, terminalSize.height - 3))
    }

    private func renderer(_ command: AppCommand) -> PictureRenderer {
        switch command.value("draw") {
        // Blocks that are asked for by name want their colours, on a pipe too.
        case "half": PictureRenderer(style: .halfBlocks, depth: configuration.possibleColorDepth.forPictures)
        case "quarter": PictureRenderer(style: .quadrants, depth: configuration.possibleColorDepth.forPictures)
        case "ascii": PictureRenderer(style: .characters, depth: .none)
        default: PictureRenderer(style: .halfBlocks, depth: configuration.colorDepth.forPictures)
        }
    }

    private func save(_ picture: FetchedPicture, _ command: AppCommand) throws(ScriptFailure) -> String? {
        guard let path = command.value("save") else { return nil }
        do {
            try picture.file.write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw ScriptFailure(.data, "the picture cannot be written to \(path.escapingControls(limit: 80)): \(error)")
        }
        return path
    }

    private func caption(of picture: FetchedPicture) -> String {
        picture.reference?.breed.map { $0.escapingControls(limit: 80) + "\n" } ?? ""
    }

    private func description(of picture: FetchedPicture, _ decoded: DecodedPicture, saved: String?) -> String {
        let size = decoded.originalSize
        var parts = [
            picture.reference?.breed ?? "a picture", "\(size.width) x \(size.height)", decoded.format.rawValue,
        ]
        if let url = picture.reference?.url { parts.append(url) }
        if let saved { parts.append("saved to \(saved)") }
        return parts.map { $0.escapingControls(limit: 500) }.joined(separator: ", ") + "\n"
    }
}

/// Where a shown picture comes from.
enum PictureSource: String, Encodable, Sendable {
    /// Just fetched.
    case network
    /// The last one fetched, kept.
    case last
    /// Part of the program.
    case bundled
}

/// What `picture --json` writes: its fields always there, absent values as `null`.
struct PictureDocument: Encodable {
    let picture: FetchedPicture
    let decoded: DecodedPicture
    let source: PictureSource
    let saved: String?
    let notice: String?

    private enum Key: String, CodingKey {
        case source
        case url
        case breed
        case format
        case width
        case height
        case bytes
        case saved
        case warnings
        case notice
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(source, forKey: .source)
        try container.encode(picture.reference?.url, forKey: .url)
        try container.encode(picture.reference?.breed, forKey: .breed)
        try container.encode(decoded.format.rawValue, forKey: .format)
        try container.encode(decoded.originalSize.width, forKey: .width)
        try container.encode(decoded.originalSize.height, forKey: .height)
        try container.encode(picture.file.count, forKey: .bytes)
        try container.encode(saved, forKey: .saved)
        try container.encode(decoded.warnings.map { "\($0)" }, forKey: .warnings)
        try container.encode(notice, forKey: .notice)
    }
}
