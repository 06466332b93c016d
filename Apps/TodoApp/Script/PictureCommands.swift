import AccountCore
import CommandKit
import EssentialFoundation
import PictureCore
import Pictures
import SystemCalls
import TerminalUI
import TextEscaping

/// The `picture` and `breeds` commands. They call the picture service, as the screen does.
@MainActor
struct PictureCommands {
    let service: any PictureServing
    let settings: any SettingsStoring
    let configuration: Configuration
    /// The size of the terminal.
    let terminalSize: GridSize
    /// The size of a character cell in pixels; `nil` if unknown.
    let cellSize: PixelSize?

    /// Fetches a picture and draws it. If that fails, draws the last or the bundled one, with a notice.
    func picture(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        let area = try area(command)
        // Asked first: the picture takes longer than a slow reply of the terminal, which is discarded at the end.
        let drawing = await drawing(command)
        defer { discardLateReply(command) }
        var result = ScriptResult()
        var shown: FetchedPicture
        var source = PictureSource.network
        var failure: PictureFailure?
        do throws(PictureFailure) {
            var breed = command.value("breed")
            if breed == nil { breed = (try? await settings.settings())?.favouriteBreed }
            shown = try await service.fetch(breed: breed)
        } catch .noSuchBreed(let name) {
            throw ScriptFailure(PictureFailure.noSuchBreed(name))
        } catch {
            failure = error
            shown = await service.last()
            source = shown.reference == nil ? .bundled : .last
            result.exitCode = .network
            result.notices.append("\(error)")
            result.notices.append(source == .last ? "this is the last picture" : "this is the bundled picture")
        }
        let decoded = try await attempt { () throws(PictureFailure) in
            try await service.decode(shown, fitting: drawing.pixelSize(area))
        }
        result.notices += decoded.warnings.map { "\($0)" }
        let saved = failure == nil ? try save(shown, command) : nil
        if command.has("json") {
            result.output =
                ScriptResult.json(
                    PictureDocument(
                        source: source,
                        url: shown.reference?.url,
                        breed: shown.reference?.breed,
                        format: decoded.format.rawValue,
                        width: decoded.originalSize.width,
                        height: decoded.originalSize.height,
                        bytes: shown.file.count,
                        saved: saved,
                        warnings: decoded.warnings.map { "\($0)" },
                        notice: failure.map { "\($0)" }
                    )
                ).output
        } else if PictureChoice(command, configuration.preferences) == .none {
            result.output = description(of: shown, decoded, saved: saved)
        } else {
            result.output = try drawing.text(decoded.picture, area) + caption(of: shown)
        }
        return result
    }

    /// Lists the breeds.
    func breeds(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        let breeds = try await attempt { () throws(PictureFailure) in try await service.breeds() }
        if command.has("json") { return .json(["breeds": breeds]) }
        return ScriptResult(
            output: breeds.map {
                "\($0.id.escapingControls(limit: 80))  \($0.name.escapingControls(limit: 80))\n"
            }.joined()
        )
    }

    // MARK: - Parts

    /// The cells to draw into: those of `--size`, or the terminal without the lines of a prompt.
    private func area(_ command: AppCommand) throws(ScriptFailure) -> GridSize {
        try command.size() ?? GridSize(width: terminalSize.width, height: max(1, terminalSize.height - 3))
    }

    /// The way to draw. `auto` uses the graphics of the terminal if it has any.
    private func drawing(_ command: AppCommand) async -> PictureDrawing {
        let drawn = !command.has("json")
        let choice = PictureChoice(command, configuration.preferences)
        let context = configuration.context
        var drawing = PictureDrawing(cell: cellSize ?? PixelSize(width: 10, height: 20))
        switch choice.graphics {
        case TerminalGraphics.none?:
            // Blocks that are requested by name have colours on a pipe, too.
            drawing.depth = choice == .ascii ? .none : configuration.possibleColorDepth
            drawing.style = choice.style ?? .halfBlocks
            return drawing
        case let graphics?:
            drawing.graphics = graphics
            return drawing
        case nil:
            guard drawn, context.isInputTerminal, context.isOutputTerminal, !configuration.isPlain,
                configuration.colorDepth != .none
            else { break }
            drawing.graphics = await Terminal.detectGraphics(environment: context.environment)
            if case .sixel(let cell) = drawing.graphics { drawing.cell = cell }
            if drawing.graphics != .none { return drawing }
        }
        drawing.depth = configuration.colorDepth
        let isUnicode = TerminalCapabilities(environment: context.environment).isUnicode
        drawing.style = .automatic(depth: drawing.depth.forPictures, isUnicode: isUnicode)
        return drawing
    }

    private func discardLateReply(_ command: AppCommand) {
        guard PictureChoice(command, configuration.preferences) == .auto, configuration.context.isOutputTerminal else {
            return
        }
        Terminal.discardUnreadInput()
    }

    private func save(_ picture: FetchedPicture, _ command: AppCommand) throws(ScriptFailure) -> String? {
        guard let path = command.value("save") else { return nil }
        try UserFile.writeOutput(Array(picture.file), to: path)
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

/// A way to draw a picture on a terminal.
private struct PictureDrawing {
    /// The protocol of the terminal; `.none` for characters with colours.
    var graphics = TerminalGraphics.none
    /// The size of a character cell in pixels.
    var cell: PixelSize
    /// How characters draw.
    var style = PictureStyle.halfBlocks
    /// The colours of characters.
    var depth = ColorDepth.trueColor

    init(cell: PixelSize) { self.cell = cell }

    /// The size to decode a picture at for an area of cells.
    func pixelSize(_ area: GridSize) -> PixelSize {
        graphics == .none
            ? renderer.pixelSize(columns: area.width, rows: area.height)
            : PixelSize(width: area.width * cell.width, height: area.height * cell.height)
    }

    private var renderer: PictureRenderer {
        var renderer = PictureRenderer(style: style, depth: depth.forPictures)
        renderer.cellAspect = Double(cell.height) / Double(cell.width)
        return renderer
    }

    /// Encodes a picture for an area of cells.
    func text(_ picture: Picture, _ area: GridSize) throws(ScriptFailure) -> String {
        do throws(PictureEncodingError) {
            switch graphics {
            case .none: return renderer.text(picture, columns: area.width, rows: area.height)
            case .kitty:
                // The terminal stretches a picture to the cells that it is given.
                let cells = renderer.cells(for: picture.size, columns: area.width, rows: area.height)
                return try KittyGraphics().text(picture, columns: cells.columns, rows: cells.rows) + "\n"
            case .iterm: return try ITermGraphics().text(picture, columns: area.width, rows: area.height) + "\n"
            case .sixel:
                let size = pixelSize(area)
                let across = Double(size.width) / Double(picture.width)
                let scale = min(1, across, Double(size.height) / Double(picture.height))
                let fitted = PixelSize(
                    width: max(1, Int(Double(picture.width) * scale)),
                    height: max(1, Int(Double(picture.height) * scale))
                )
                return SixelGraphics().text(scale < 1 ? picture.scaled(to: fitted) : picture) + "\n"
            }
        } catch {
            throw ScriptFailure(.data, "the picture cannot be encoded: \(error)")
        }
    }
}

/// The origin of a picture.
enum PictureSource: String, Encodable, Sendable {
    /// It was just fetched.
    case network
    /// It is the last one that was fetched.
    case last
    /// It is part of the program.
    case bundled
}

/// The document of `picture --json`. Every field is present; missing values are `null`.
struct PictureDocument: Encodable {
    let source: PictureSource
    @OrNull var url: String?
    @OrNull var breed: String?
    let format: String
    let width: Int
    let height: Int
    let bytes: Int
    @OrNull var saved: String?
    let warnings: [String]
    @OrNull var notice: String?
}
