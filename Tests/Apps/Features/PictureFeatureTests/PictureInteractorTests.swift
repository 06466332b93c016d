import AccountCore
import AppLanguage
import AppTestSupport
import AppUI
import Foundation
import PictureCore
import Pictures
import RIBs
import TerminalTesting
import TerminalUI
import TestSupport
import Testing

@testable import PictureFeature

@Suite("The picture's logic")
@MainActor
struct PictureInteractorTests {
    private static let red = PictureColor(255, 0, 0)
    private static let blue = PictureColor(0, 0, 255)

    @MainActor
    private final class Fixture {
        let presenter = PicturePresenterDouble()
        let service: FakePictureService
        let settings: FakeSettings
        let favourites = FakeFavourites()
        let interactor: PictureInteractor

        init(_ service: FakePictureService, breed: String? = nil, language: AppLanguage = .english) {
            self.service = service
            settings = FakeSettings(Settings(favouriteBreed: breed))
            let services = PictureServices(service, favourites, settings, language)
            interactor = PictureInteractor(presenter: presenter, dependency: services)
        }

        /// Waits until the pane shows this.
        func wait(_ condition: (PictureModel) -> Bool) async throws {
            try await eventually { presenter.models.last.map(condition) ?? false }
        }

        /// The colour in the middle of what is shown.
        var color: PictureColor? { presenter.models.last?.picture.map { $0[$0.width / 2, $0.height / 2] } }
    }

    @Test("The last picture is shown first, then a new one comes")
    func lastThenNew() async throws {
        let pane = Fixture(FakePictureService(last: .sample("Pug", Self.red), .later))
        pane.interactor.activate()
        try await pane.wait { $0.isLoading && $0.picture != nil }
        #expect(pane.color == Self.red)
        #expect(pane.presenter.models.last?.caption == "Pug · pictures.test")
        try await eventually { pane.service.isWaiting }
        pane.service.answer(.success(.sample("Beagle", Self.blue)))
        try await pane.wait { !$0.isLoading }
        #expect(pane.color == Self.blue)
        #expect(pane.presenter.models.last?.caption == "Beagle · pictures.test")
        #expect(pane.presenter.models.last?.notice == nil)
    }

    @Test("The favourite is the picture that is shown, not the one before it")
    func favouriteOfNext() async throws {
        let pane = Fixture(FakePictureService(last: .sample("Pug", Self.red), .picture(.sample("Beagle", Self.blue))))
        pane.interactor.activate()
        try await pane.wait { !$0.isLoading && $0.caption == "Beagle · pictures.test" }
        pane.interactor.didChooseFavourite()
        try await eventually { !pane.favourites.list.isEmpty }
        #expect(pane.favourites.list.map(\.picture.breed) == ["Beagle"])
    }

    @Test("A breed that the service does not know is reported, and the next one is shown")
    func unknownBreed() async throws {
        let service = FakePictureService(
            .picture(.sample("Pug", Self.red)),
            .failure(.noSuchBreed("cow")),
            .picture(.sample("Beagle", Self.blue))
        )
        let pane = Fixture(service)
        pane.interactor.activate()
        try await pane.wait { !$0.isLoading }
        #expect(await !pane.interactor.show(breed: "cow"))
        #expect(await pane.interactor.show(breed: "beagle") && pane.color == Self.blue)
        // A load of an unknown breed that ends later than the one in its place says nothing about that one.
        service.answers = [.later, .picture(.sample("Pug", Self.red))]
        pane.interactor.reload()
        try await eventually { service.isWaiting }
        service.onDecode = {
            guard service.isWaiting else { return }
            service.answer(.failure(.noSuchBreed("cow")))
            for _ in 0..<50 { await Task.yield() }
        }
        #expect(await pane.interactor.show(breed: "pug") && pane.color == Self.red)
        // The closure refers to the service.
        service.onDecode = {}
    }

    @Test("A breed requested before the last picture is shown leaves it, to be saved, if there is no new one")
    func lastAfterBreed() async throws {
        let pane = Fixture(FakePictureService(last: .sample("Pug", Self.red), .later))
        pane.interactor.activate()
        let answer = Task {
            defer { pane.service.answer(.failure(.offline)) }
            try await pane.wait { $0.picture != nil }
        }
        _ = await pane.interactor.show(breed: "beagle")
        try await answer.value
        let shown = try #require(pane.presenter.models.last)
        #expect(shown.caption == "Pug · pictures.test" && shown.notice != nil && !shown.isLoading)
        #expect(pane.color == Self.red)
        pane.interactor.didChooseFavourite()
        try await eventually { pane.favourites.list.map(\.picture.breed) == ["Pug"] }
    }

    @Test("Without a network the last picture stays, with the reason below")
    func offline() async throws {
        let pane = Fixture(FakePictureService(last: .sample("Pug", Self.red), .failure(.offline)))
        pane.interactor.activate()
        try await pane.wait { !$0.isLoading && $0.notice != nil }
        #expect(pane.color == Self.red)
        #expect(pane.presenter.models.last?.notice == "offline: this is not a new picture; try again with f5")
    }

    @Test("What is wrong with a picture, and the words in its place, are in the language of the app")
    func languages() async throws {
        for (language, warning, coming, wait) in [
            (AppLanguage.english, "Only the first 64 of 80 rows", "a dog is coming", "Loading…"),
            (.korean, "전체 80줄 중 처음 64줄", "사진이 오고 있습니다", "불러오는 중…"),
        ] {
            let pane = Fixture(FakePictureService(.picture(.sample("Pug"))), language: language)
            let picture = Picture(width: 8, height: 8, filledWith: Self.red)
            pane.service.decoded = DecodedPicture(
                picture: picture,
                originalSize: picture.size,
                format: .png,
                warnings: [.truncated(knownRows: 64, rows: 80)]
            )
            pane.interactor.activate()
            try await pane.wait { !$0.isLoading && $0.notice?.hasPrefix(warning) == true }

            let view = PictureViewController(appearance: .dog(language))
            let session = PlainSession(root: view)
            #expect(await session.start().contains { $0.contains(coming) })
            var model = PictureModel()
            model.isLoading = true
            view.show(model)
            #expect(await session.perform("").contains(wait))
            model.isLoading = false
            model.picture = picture
            view.show(model)
            let lines = await session.perform("")
            #expect(!lines.contains { $0.contains(coming) } && !lines.joined().contains("(picture)"), "\(lines)")
        }
    }

    @Test("The reason disappears as soon as there is a new picture")
    func recovered() async throws {
        let pane = Fixture(FakePictureService(.failure(.offline), .picture(.sample("Beagle", Self.blue))))
        pane.interactor.activate()
        try await pane.wait { $0.notice != nil && !$0.isLoading }
        pane.interactor.didChooseNext()
        try await pane.wait { $0.caption == "Beagle · pictures.test" && !$0.isLoading }
        #expect(pane.presenter.models.last?.notice == nil)
    }

    @Test("A second key press while a picture is being fetched sends no second request; another breed replaces it")
    func onlyOne() async throws {
        let pane = Fixture(FakePictureService(.later, .picture(.sample("Pug"))))
        pane.interactor.activate()
        try await eventually { pane.service.isWaiting }
        pane.interactor.didChooseNext()
        pane.interactor.didChooseNext()
        for _ in 0..<50 { await Task.yield() }
        #expect(pane.service.requests.count == 1)
        pane.interactor.reload()
        try await pane.wait { !$0.isLoading && $0.caption == "Pug · pictures.test" }
        pane.service.answer(.success(.sample("Beagle")))
        for _ in 0..<50 { await Task.yield() }
        #expect(pane.presenter.models.last?.caption == "Pug · pictures.test" && pane.service.requests.count == 2)
    }

    @Test("Two key presses in one turn send one request, and so does one before the first picture is shown")
    func onlyOneAtOnce() async throws {
        let pane = Fixture(FakePictureService(.picture(.sample("Pug")), .picture(.sample("Beagle"))))
        pane.interactor.activate()
        pane.interactor.didChooseNext()
        try await pane.wait { !$0.isLoading && $0.caption == "Pug · pictures.test" && $0.picture != nil }
        for _ in 0..<50 { await Task.yield() }
        #expect(pane.service.requests.count == 1)
        pane.interactor.didChooseNext()
        pane.interactor.didChooseNext()
        try await pane.wait { !$0.isLoading && $0.caption == "Beagle · pictures.test" }
        for _ in 0..<50 { await Task.yield() }
        #expect(pane.service.requests.count == 2)
    }

    @Test("Only pictures of the current favourite breed are requested")
    func breed() async throws {
        let pane = Fixture(FakePictureService(.picture(.sample("Pug")), .picture(.sample("Beagle"))), breed: "pug")
        pane.interactor.activate()
        try await pane.wait { !$0.isLoading && $0.caption == "Pug · pictures.test" && $0.picture != nil }
        try await eventually { !pane.service.requests.isEmpty }
        try await pane.settings.save(Settings(favouriteBreed: "beagle"))
        try await eventually {
            if pane.service.requests.count < 2 { pane.interactor.didChooseNext() }
            return pane.service.requests.count == 2
        }
        #expect(pane.service.requests == ["pug", "beagle"])
    }

    @Test("After it became inactive the request is cancelled, and nothing more is shown")
    func stops() async throws {
        let pane = Fixture(FakePictureService(.later))
        pane.interactor.activate()
        try await eventually { pane.service.isWaiting }
        let shown = pane.presenter.models.count
        pane.interactor.deactivate()
        try await eventually { !pane.service.isWaiting }
        for _ in 0..<50 { await Task.yield() }
        #expect(pane.presenter.models.count == shown)
    }

    @Test("After it became active again, it requests a picture and shows it")
    func again() async throws {
        let pane = Fixture(FakePictureService(.later, .picture(.sample("Beagle"))))
        pane.interactor.activate()
        try await eventually { pane.service.isWaiting }
        pane.interactor.deactivate()
        pane.interactor.activate()
        try await pane.wait { !$0.isLoading && $0.caption == "Beagle · pictures.test" }
        for _ in 0..<50 { await Task.yield() }
        #expect(pane.presenter.models.last?.isLoading == false)
        #expect(pane.presenter.models.last?.notice == nil)
        #expect(pane.service.requests.count == 2)
    }

    @Test("A picture is decoded once at the size of the view, again for a larger view, and not for a smaller one")
    func sizes() async throws {
        let large = PixelSize(width: 2000, height: 1000)
        let pane = Fixture(FakePictureService(.picture(.sample("Pug", size: large))))
        pane.interactor.didChangeSize(PixelSize(width: 100, height: 80))
        pane.interactor.activate()
        try await pane.wait { !$0.isLoading && $0.caption == "Pug · pictures.test" }
        #expect(pane.presenter.models.last?.picture?.size == PixelSize(width: 100, height: 50))
        // The last picture and the new one, each once.
        #expect(pane.service.decodedSizes == Array(repeating: PixelSize(width: 100, height: 80), count: 2))

        pane.interactor.didChangeSize(PixelSize(width: 400, height: 300))
        try await pane.wait { $0.picture?.size == PixelSize(width: 400, height: 200) }
        pane.interactor.didChangeSize(PixelSize(width: 50, height: 40))
        pane.interactor.didChangeSize(PixelSize(width: 400, height: 260))
        for _ in 0..<50 { await Task.yield() }
        #expect(pane.service.decodedSizes.count == 3)
        // Larger than the file: its own size, and no more after that.
        pane.interactor.didChangeSize(PixelSize(width: 9000, height: 9000))
        try await pane.wait { $0.picture?.size == large }
        pane.interactor.didChangeSize(PixelSize(width: 9500, height: 9500))
        for _ in 0..<50 { await Task.yield() }
        #expect(pane.service.decodedSizes.count == 4)
        #expect(pane.presenter.models.last?.caption == "Pug · pictures.test")
    }

    @Test("Pixels are those of the picture that is shown when they are ready; either side asks for more, up to a limit")
    func enlargement() async throws {
        let service = FakePictureService()
        let sizing = PictureSizing(service: service)
        var sizes: [PixelSize] = []
        sizing.onEnlargement = { sizes.append($0.size) }
        let wide = FetchedPicture.sample("Pug", size: PixelSize(width: 2000, height: 3))
        let tall = FetchedPicture.sample("Beagle", size: PixelSize(width: 3, height: 2000))
        let boxes = [
            (0, 50, 160, 160), (50, 0, 160, 160), (50, 9000, 50, 4096), (9000, 50, 4096, 50), (50, 40, 50, 40),
        ]
        for (width, height, boxWidth, boxHeight) in boxes {
            sizing.resize(to: PixelSize(width: width, height: height))
            _ = try await sizing.decode(wide)
            #expect(service.decodedSizes.last == PixelSize(width: boxWidth, height: boxHeight))
        }
        // Of each one side is a pixel at both sizes. The tall one comes while the pixels of the wide one are decoded.
        let small = (wide: try await sizing.decode(wide), tall: try await sizing.decode(tall))
        sizing.show(wide, small.wide)
        sizing.resize(to: PixelSize(width: 300, height: 200))
        service.onDecode = {
            sizing.show(tall, small.tall)
            service.onDecode = {}
        }
        await sizing.enlarge()
        #expect(sizes == [PixelSize(width: 1, height: 200)])
        sizing.show(wide, small.wide)
        await sizing.enlarge()
        #expect(sizes == [PixelSize(width: 1, height: 200), PixelSize(width: 300, height: 1)])
        // A file that does not give more pixels is decoded only once more.
        sizing.show(wide, small.wide)
        let count = service.decodedSizes.count
        (service.decoded, service.onDecode) = (
            small.wide, { if service.decodedSizes.count > count + 2 { service.decoded = nil } }
        )
        await sizing.enlarge()
        #expect(service.decodedSizes.count == count + 1 && sizes.count == 2)
        // The closure refers to the service.
        service.onDecode = {}
    }

    @Test("A picture that cannot be decoded leaves the last one, with the reason")
    func broken() async throws {
        let broken = FetchedPicture(reference: nil, file: .init("<html>".utf8))
        let pane = Fixture(FakePictureService(last: .sample("Pug", Self.red), .picture(broken)))
        pane.interactor.activate()
        try await pane.wait { !$0.isLoading && $0.notice != nil }
        #expect(pane.color == Self.red)
        #expect(pane.presenter.models.last?.notice == "the new picture cannot be decoded; try again with f5")
    }
}

/// The dependencies of the picture and the favourites, as fakes.
@MainActor
private final class PictureServices: PictureDependency {
    let pictureService: any PictureServing
    let favourites: any FavouriteStoring
    let settings: any SettingsStoring
    let pictureKeys = PictureKeys.changed
    let appearance: Appearance

    init(
        _ service: FakePictureService,
        _ favourites: FakeFavourites,
        _ settings: FakeSettings = FakeSettings(),
        _ language: AppLanguage = .english
    ) {
        (pictureService, self.favourites, self.settings) = (service, favourites, settings)
        appearance = .dog(language)
    }
}

/// Stands where the picture's pane would.
@MainActor
final class PicturePresenterDouble: PicturePresentable {
    weak var listener: (any PicturePresentableListener)?
    private(set) var models: [PictureModel] = []

    func show(_ model: PictureModel) { models.append(model) }
}

extension PictureKeys {
    /// Other keys than the default ones.
    fileprivate static let changed = PictureKeys(next: "f5", favourite: "alt-s", profile: "f2")
}

@Suite("Favourites on a screen", .timeLimit(.minutes(3)))
@MainActor
struct FavouritesScreenTests {
    /// The favourites in a window, over fakes.
    @MainActor
    final class Fixture: FavouritesListener {
        let service = FakePictureService()
        let fake = FakeFavourites()
        let app: TestApplication
        let root = Router(interactor: Interactor())
        var events: [String] = []

        init(_ pictures: [PictureReference], isOffline: Bool = false) async {
            fake.list = pictures.map { Favourite(picture: $0, added: .now) }
            for picture in pictures where !isOffline { service.stored[picture.url] = .sample(picture.breed) }
            let navigation = NavigationController()
            app = TestApplication(root: navigation, size: GridSize(width: 80, height: 20))
            root.interactor.activate()
            root.load()
            let services = PictureServices(service, fake)
            let favourites = FavouritesBuilder(dependency: services).build(withListener: self)
            root.attachChild(favourites)
            if let controller = favourites.viewControllable as? ViewController {
                navigation.setViewControllers([controller])
            }
            await app.settle()
        }

        func favouritesDidClose() { events.append("closed") }
        func favouritesDidChoose(_ picture: PictureReference) { events.append("chose \(picture.url)") }
    }

    private let pug = PictureReference(url: "https://images.test/pug.jpg", breed: "Pug")
    private let unknown = PictureReference(url: "https://images.test/x.jpg", breed: nil)

    @Test("Favourites are browsed with the keyboard, with the breed, the source and the picture of each")
    func browse() async throws {
        let fixture = await Fixture([pug, unknown])
        try await eventually {
            await fixture.app.settle()
            return fixture.app.text.contains("▀▀")
        }
        #expect(fixture.app.text.contains("Pug") && fixture.app.text.contains("images.test"))
        #expect(fixture.app.text.contains("unknown breed"))
        await fixture.app.press(.down)
        try await eventually { fixture.service.references == [pug, unknown] }
        await fixture.app.resize(GridSize(width: 20, height: 3))
        #expect(fixture.app.text.contains("unknown"), "the table has the rows")
        await fixture.app.press(.enter)
        await fixture.app.press(.escape)
        #expect(fixture.events == ["chose https://images.test/x.jpg", "closed"])
    }

    @Test("The table is sorted by a heading or a key, a third time as it was saved; the selected one stays selected")
    func sorted() async throws {
        let akita = PictureReference(url: "https://b.test/akita.jpg", breed: "akita")
        let fixture = await Fixture([pug, unknown, akita])
        func order() -> [String] {
            (1...3).map { row in String(fixture.app.screen.line(row).drop { $0 == " " }.prefix { $0 != " " }) }
        }
        #expect(order() == ["Pug", "unknown", "akita"])
        await fixture.app.click(on: "Breed")
        #expect(order() == ["akita", "Pug", "unknown"])
        await fixture.app.press(Key(.character("1"), .alt))
        #expect(order() == ["unknown", "Pug", "akita"])
        await fixture.app.press(Key(.character("2"), .alt))
        #expect(order() == ["akita", "Pug", "unknown"])
        await fixture.app.click(on: "Source")
        await fixture.app.click(on: "Source")
        #expect(order() == ["Pug", "unknown", "akita"])
        await fixture.app.press(.enter)
        #expect(fixture.events == ["chose https://images.test/pug.jpg"])
    }

    @Test("A favourite is removed by d; a failure is explained, and the list stays")
    func remove() async throws {
        let fixture = await Fixture([pug])
        fixture.fake.failure = .full(limit: 1000)
        await fixture.app.type("d")
        try await eventually {
            await fixture.app.settle()
            return fixture.app.text.contains("The favourites are unchanged")
        }
        fixture.fake.failure = nil
        await fixture.app.type("d")
        try await eventually {
            await fixture.app.settle()
            return fixture.app.text.contains("No favourites yet. Press alt-s")
        }
        #expect(fixture.fake.list.isEmpty)
    }

    @Test("A picture that cannot be fetched says what to do, and is requested again by r")
    func retry() async throws {
        let offline = await Fixture([pug], isOffline: true)
        try await offline.app.wait(for: "check the network, then try again with r")
        offline.service.stored[pug.url] = .sample("Pug")
        await offline.app.type("r")
        try await offline.app.wait { $0.contains("▀▀") && !$0.contains("with r") }
        #expect(offline.service.references == [pug, pug])
    }

    @Test("After a kill the same favourite is selected, and one that is gone is ignored")
    func restored() async throws {
        let fixture = await Fixture([pug, unknown])
        try await fixture.app.wait(for: "▀▀")
        await fixture.app.press(.down)
        try await eventually { fixture.service.references == [pug, unknown] }
        let snapshot = try #require(fixture.root.children.first as? any RestorableRouting).snapshot

        let next = await Fixture([pug, unknown])
        try #require(next.root.children.first as? any RestorableRouting).restore(from: snapshot)
        try await eventually { next.service.references.last == unknown }
        await next.app.type("d")
        try await eventually { next.fake.list.map(\.picture) == [pug] }

        let other = await Fixture([pug])
        try #require(other.root.children.first as? any RestorableRouting).restore(from: snapshot)
        try await other.app.wait(for: "▀▀")
        #expect(other.service.references == [pug])
    }
}

@Suite("The favourites' logic")
@MainActor
struct FavouritesInteractorTests {
    @MainActor
    private final class Screen: FavouritesPresentable {
        weak var listener: (any FavouritesPresentableListener)?
        var model = FavouritesModel()

        func show(_ model: FavouritesModel) { self.model = model }
        func select(_ favourite: Favourite) {}
    }

    @Test("A failure is that of the selected picture, and that one was removed is said until another one has come")
    func selection() async throws {
        let (screen, service, fake) = (Screen(), FakePictureService(), FakeFavourites())
        let pictures = ["pug", "x"].map { PictureReference(url: "https://images.test/\($0).jpg", breed: nil) }
        fake.list = pictures.map { Favourite(picture: $0, added: .now) }
        let (first, second) = (fake.list[0], fake.list[1])
        service.stored[second.picture.url] = .sample("Pug")
        let interactor = FavouritesInteractor(presenter: screen, favourites: fake, service: service)
        interactor.activate()
        try await eventually { screen.model.isLoaded }
        // The first one fails after the second one was selected.
        interactor.didSelect(first)
        interactor.didSelect(second)
        try await eventually { screen.model.preview != nil && service.references.count == 2 }
        #expect(!screen.model.hasFailed && screen.model.message == nil)
        interactor.didRemove(second)
        try await eventually { screen.model.favourites == [first] }
        #expect(screen.model.selected == nil && screen.model.preview == nil)
        interactor.didSelect(first)
        #expect(screen.model.message == PictureText.removed)
        try await eventually { screen.model.hasFailed }
        interactor.didChooseRetry()
        #expect(!screen.model.hasFailed)
        interactor.deactivate()
    }
}
