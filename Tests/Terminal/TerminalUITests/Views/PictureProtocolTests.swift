import NeedleKit
import Pictures
import TerminalTesting
import Testing

@testable import TerminalUI

@Suite("Pictures in pixels on a full screen", .timeLimit(.minutes(5)))
@MainActor
struct PictureProtocolTests {
    nonisolated static let protocols: [EmulatedPicture.Graphics] = [.kitty, .iterm, .sixel]
    private let cell = PixelSize(width: 10, height: 20)

    private func capabilities(_ graphics: EmulatedPicture.Graphics?) -> TerminalCapabilities {
        var result = TerminalCapabilities(colorDepth: .trueColor)
        result.cellPixels = cell
        result.cellAspect = 2
        switch graphics {
        case .kitty: result.kittyGraphics = true
        case .iterm: result.itermGraphics = true
        case .sixel: result.sixelGraphics = true
        case nil: break
        }
        return result
    }

    /// A red picture with a blue right half, 200 x 120 pixels.
    private var picture: Picture {
        var picture = Picture(width: 200, height: 120, filledWith: PictureColor(255, 0, 0))
        for y in 0..<120 { for x in 100..<200 { picture[x, y] = PictureColor(0, 0, 255) } }
        return picture
    }

    private struct Screen {
        let app: TestApplication
        let view: ImageView
        let drawer: DrawerController
        let snackbar: SnackbarController

        @MainActor var pictures: [EmulatedPicture] { app.terminal.emulator.pictures }

        /// Waits for the number of pictures in pixels.
        @MainActor
        func wait(_ count: Int) async throws {
            try await app.wait("\(count) pictures", within: .seconds(60)) { _ in
                app.terminal.emulator.pictures.count == count
            }
        }
    }

    private let size = GridSize(width: 40, height: 12)

    /// Starts an application, and waits for a picture in pixels.
    private func app(for root: ViewController, _ graphics: EmulatedPicture.Graphics) async throws -> TestApplication {
        let app = TestApplication(root: root, size: size, capabilities: capabilities(graphics))
        try await app.wait("a picture", within: .seconds(60)) { _ in
            app.terminal.emulator.pictures.count == 1
        }
        return app
    }

    private func screen(_ graphics: EmulatedPicture.Graphics?) -> Screen {
        let view = ImageView(picture)
        let content = ViewController()
        content.view.addSubview(view)
        view.ndl.makeConstraints { make in
            make.horizontal.equalTo(content.view)
            make.vertical.equalTo(content.view).inset(1)
        }
        let snackbar = SnackbarController(content: content)
        let drawer = DrawerController(content: snackbar, left: Stack([Button("Todos")]))
        let app = TestApplication(root: drawer, size: size, capabilities: capabilities(graphics))
        return Screen(app: app, view: view, drawer: drawer, snackbar: snackbar)
    }

    @Test("The pixels are shown in the cells of the picture, without blocks below them", arguments: protocols)
    func shown(_ graphics: EmulatedPicture.Graphics) async throws {
        let screen = screen(graphics)
        try await screen.wait(1)
        let shown = try #require(screen.pictures.first)
        // 200 x 120 pixels fit into 400 x 200: 33 columns and 10 rows of 2 to 1.
        #expect(shown.graphics == graphics && shown.isWhole)
        #expect(shown.area.minY == 1 && shown.area.height == 10 && shown.area.width == 33)
        #expect(!screen.app.text.contains("▀"))
        #expect(screen.app.terminal.emulator.unknown.isEmpty)
        if graphics != .sixel {
            let decoded = try PictureDecoder().decode(shown.data).picture
            #expect(
                decoded[10, 10] == PictureColor(255, 0, 0) && decoded[decoded.width - 10, 10] == PictureColor(0, 0, 255)
            )
        } else {
            #expect(String(decoding: shown.data, as: UTF8.self).contains("\"1;1;330;200"))
        }
        let bytes = screen.app.terminal.bytesWritten
        screen.view.setNeedsDisplay()
        await screen.app.settle()
        #expect(screen.app.terminal.bytesWritten == bytes)
    }

    @Test(
        "A drawer dims the picture, which is then drawn in cells, and closing it shows the pixels",
        arguments: protocols
    )
    func drawer(_ graphics: EmulatedPicture.Graphics) async throws {
        let screen = screen(graphics)
        try await screen.wait(1)
        screen.drawer.open(.left)
        await screen.app.settle()
        #expect(screen.pictures.isEmpty)
        #expect(screen.app.text.contains("▀") && screen.app.text.contains("Todos"))
        screen.drawer.close()
        try await screen.wait(1)
        #expect(screen.pictures.first?.isWhole == true && !screen.app.text.contains("▀"))
    }

    @Test("A message at the lower edge crops the pixels", arguments: protocols)
    func snackbar(_ graphics: EmulatedPicture.Graphics) async throws {
        let screen = screen(graphics)
        try await screen.wait(1)
        let before = try #require(screen.pictures.first)
        screen.snackbar.show("first line\nsecond line")
        await screen.app.settle()
        let cropped = try #require(screen.pictures.first)
        #expect(screen.app.text.contains("second line"))
        #expect(cropped.area.origin == before.area.origin && cropped.area.height == 9 && cropped.isWhole)
        if graphics == .kitty { #expect(cropped.source?.size == GridSize(width: 200, height: 108)) }
        screen.snackbar.close()
        await screen.app.settle()
        #expect(screen.pictures.map(\.area) == [before.area] && screen.pictures.first?.isWhole == true)
    }

    @Test("A sheet over the middle of the picture shows its cells, until it is closed", arguments: protocols)
    func sheet(_ graphics: EmulatedPicture.Graphics) async throws {
        let screen = screen(graphics)
        try await screen.wait(1)
        let sheet = SheetController(content: Stack([Button("Inside")]), maximumSize: GridSize(width: 20, height: 5))
        screen.drawer.present(sheet)
        await screen.app.settle()
        #expect(screen.pictures.isEmpty && screen.app.text.contains("Inside") && screen.app.text.contains("▀"))
        await screen.app.press(.escape)
        try await screen.wait(1)
        #expect(screen.pictures.first?.isWhole == true)
    }

    @Test("A cluster that may be drawn wider leaves the picture beside it whole", arguments: protocols)
    func neighbour(_ graphics: EmulatedPicture.Graphics) async throws {
        let (label, view) = (Label("👩‍👩‍👧‍👦"), ImageView(picture))
        let root = ViewController()
        root.view.addSubview(label)
        root.view.addSubview(view)
        label.ndl.makeConstraints { make in
            make.left.top.equalTo(root.view)
            make.width.equalTo(2)
        }
        view.ndl.makeConstraints { make in
            make.left.equalTo(label.ndl.right)
            make.right.vertical.equalTo(root.view)
        }
        let app = try await app(for: root, graphics)
        label.text = "👨‍👩‍👧‍👦"
        await app.settle()
        #expect(app.text.contains("👨‍👩‍👧‍👦") && app.terminal.emulator.pictures.map(\.isWhole) == [true])
    }

    @Test("A resize shows the picture at its new size and place only", arguments: protocols)
    func resize(_ graphics: EmulatedPicture.Graphics) async throws {
        let screen = screen(graphics)
        try await screen.wait(1)
        await screen.app.resize(GridSize(width: 20, height: 12))
        try await screen.wait(1)
        #expect(screen.pictures.first?.area.width == 20)
        #expect(screen.app.terminal.emulator.unknown.isEmpty)
        await screen.app.resize(GridSize(width: 60, height: 20))
        try await screen.app.wait("a larger picture", within: .seconds(60)) { _ in
            screen.pictures.count == 1 && screen.pictures[0].area.height == 18
        }
        #expect(screen.pictures.first?.isWhole == true)
    }

    @Test("Scrolling moves and crops the pixels", arguments: protocols)
    func scrolling(_ graphics: EmulatedPicture.Graphics) async throws {
        let scroll = ScrollView()
        let view = ImageView(picture)
        scroll.contentView.addSubview(view)
        view.ndl.makeConstraints { make in
            make.top.equalTo(scroll.contentView).offset(2)
            make.left.equalTo(scroll.contentView)
            make.width.equalTo(30)
            make.height.equalTo(6)
            make.bottom.equalTo(scroll.contentView).offset(-30)
        }
        let root = ViewController()
        root.view.fill(with: scroll)
        let app = try await app(for: root, graphics)
        let first = try #require(app.terminal.emulator.pictures.first)
        scroll.scroll(to: 1)
        await app.settle()
        let moved = try #require(app.terminal.emulator.pictures.first)
        #expect(moved.area == first.area.offsetBy(x: 0, y: -1) && moved.isWhole)
        scroll.scroll(to: 4)
        await app.settle()
        let cropped = try #require(app.terminal.emulator.pictures.first)
        #expect(cropped.area.minY == 0 && cropped.area.height == first.area.height - (4 - first.area.minY))
        scroll.scroll(to: 20)
        await app.settle()
        #expect(app.terminal.emulator.pictures.isEmpty)
        #expect(app.terminal.emulator.unknown.isEmpty)
    }

    @Test("Another picture replaces the pixels, and the end removes them", arguments: protocols)
    func replaced(_ graphics: EmulatedPicture.Graphics) async throws {
        let screen = screen(graphics)
        try await screen.wait(1)
        let first = try #require(screen.pictures.first)
        screen.view.picture = Picture(width: 200, height: 120, filledWith: PictureColor(0, 255, 0))
        try await screen.app.wait("the other picture", within: .seconds(60)) { _ in
            screen.pictures.count == 1 && screen.pictures[0].data != first.data
        }
        await screen.app.quit()
        #expect(screen.pictures.isEmpty)
    }

    @Test(
        "Transparent pixels have the colour of the background behind the view",
        arguments: [EmulatedPicture.Graphics.kitty, .iterm]
    )
    func alpha(_ graphics: EmulatedPicture.Graphics) async throws {
        let screen = screen(graphics)
        screen.view.picture = Picture(width: 40, height: 40, filledWith: PictureColor(255, 255, 255, alpha: 0))
        screen.view.background = TextStyle(background: .rgb(1, 60, 120))
        try await screen.wait(1)
        let decoded = try PictureDecoder().decode(try #require(screen.pictures.first).data).picture
        #expect(decoded[5, 5] == PictureColor(1, 60, 120))
    }

    @Test("Without colours, without graphics and by choice the picture is drawn in cells")
    func fallback() async throws {
        let none = screen(nil)
        await none.app.settle()
        #expect(none.app.text.contains("▀") && none.pictures.isEmpty)
        var colorless = capabilities(.kitty)
        colorless.colorDepth = .none
        #expect(colorless.graphics == .none)
        var unsized = capabilities(.sixel)
        unsized.cellPixels = nil
        #expect(unsized.graphics == .none)
        let chosen = screen(.kitty)
        chosen.app.application.window.preferredGraphics = TerminalGraphics.none
        await chosen.app.settle()
        #expect(chosen.app.text.contains("▀") && chosen.pictures.isEmpty)
        chosen.app.application.window.preferredGraphics = nil
        try await chosen.wait(1)
    }

    @Test(
        "Pixels that arrive in the last row do not scroll the screen",
        arguments: [EmulatedPicture.Graphics.iterm, .sixel]
    )
    func lastRow(_ graphics: EmulatedPicture.Graphics) async throws {
        let view = ImageView(Picture(width: 10, height: 400, filledWith: PictureColor(9, 9, 9)))
        let root = ViewController()
        root.view.fill(with: view)
        let app = try await app(for: root, graphics)
        #expect(app.terminal.emulator.pictures.first?.area.maxY == 11)
        // Of a view that is taller than the screen, a part is shown.
        let scroll = ScrollView()
        let tall = ImageView(view.picture)
        scroll.contentView.addSubview(tall)
        tall.ndl.makeConstraints { make in
            make.edges.equalTo(scroll.contentView)
            make.width.equalTo(30)
            make.height.equalTo(40)
        }
        view.removeFromSuperview()
        root.view.fill(with: scroll)
        for offset in [0, 28, 5] {
            scroll.scroll(to: offset)
            try await app.wait("the part from \(offset)", within: .seconds(60)) { _ in
                app.terminal.emulator.pictures.map(\.area.maxY) == [11]
            }
        }
        #expect(app.screen.line(11).contains("▀"))
    }
}
