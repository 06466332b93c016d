import AppLanguage
import AppUI
import NeedleKit
import PictureCore
import Pictures
import RIBs
import TerminalUI

/// The table of favourites and the picture of the selected one: side by side with a line that the user can move, or one
/// above the other on a narrow screen.
@MainActor
final class FavouritesViewController: ViewController, FavouritesPresentable, ViewControllable, KeyHinting {
    /// The rows from which on the picture is shown below the table. With fewer rows the table has all of them.
    private static let rowsForPictureBelow = 8

    weak var listener: (any FavouritesPresentableListener)?

    private let language: AppLanguage
    private let keys: PictureKeys
    private let table: TableView<Favourite>
    private let split: SplitView
    private let image = ImageView()
    private let message = Label("", role: .secondary)
    /// Whether there is no favourite, so that the text that says so has the whole screen.
    private var isEmpty = true
    /// Whether the picture can be requested again.
    private var hasFailed = false

    init(appearance: Appearance, keys: PictureKeys) {
        let language = appearance.language
        self.language = language
        self.keys = keys
        table = TableView([
            Self.column(PictureText.breed(language)) { $0.picture.breed ?? PictureText.unknownBreed(language) },
            Self.column(PictureText.source(language)) { PictureText.host(of: $0.picture.url) },
        ])
        split = SplitView(table, image)
        split.hasFullLine = false
        super.init()
        title = PictureText.title(appearance.language)
    }

    private static func column(
        _ title: String,
        text: @escaping @Sendable (Favourite) -> String
    ) -> TableView<Favourite>.Column {
        TableView<Favourite>.Column(title, areInOrder: { text($0).lowercased() < text($1).lowercased() }, text: text)
    }

    var keyHints: [KeyHint] {
        [
            KeyHint(Key(.enter), PictureText.show), KeyHint("d", PictureText.remove),
        ]
            + (hasFailed ? [KeyHint("r", PictureText.retry)] : []) + [
                KeyHint(Key(.escape), PictureText.back),
                KeyHint(Key(.character("1"), .alt), PictureText.sortByBreed, isRare: true),
                KeyHint(Key(.character("2"), .alt), PictureText.sortBySource, isRare: true),
            ]
            + (split.arrangement == .sideBySide
                ? [KeyHint(Key(.right, .alt), PictureText.widenTable, isRare: true)] : [])
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        for child in [split, message] as [View] { view.addSubview(child) }
        split.ndl.makeConstraints { make in
            make.top.horizontal.equalTo(view)
            make.bottom.equalTo(message.ndl.top)
        }
        message.ndl.makeConstraints { make in
            make.horizontal.equalTo(view).inset(1)
            make.bottom.equalTo(view)
            make.height.equalTo(1)
        }
        image.onPixelSizeChange = { [weak self] in self?.listener?.didChangeSize($0) }
        table.onSelect = { [weak self] in self?.listener?.didSelect($0) }
        table.onActivate = { [weak self] in self?.listener?.didChoose($0) }
        table.list.onKey = { [weak self] in self?.handle($0) ?? false }
    }

    override func viewDidAppear() {
        super.viewDidAppear()
        table.list.becomeFirstResponder()
        withSelected { $0.didSelect($1) }
    }

    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        arrange()
    }

    override func keyDown(_ key: Key) -> Bool {
        guard key == Key(.escape) else { return table.keyDown(key) || split.keyDown(key) }
        listener?.didClose()
        return true
    }

    func show(_ model: FavouritesModel) {
        table.items = model.favourites
        isEmpty = model.favourites.isEmpty
        arrange()
        hasFailed = model.hasFailed
        table.list.emptyText = model.isLoaded ? PictureText.empty(keys)(language) : ""
        image.picture = model.preview
        image.accessibilityLabel = model.preview.map { _ in PictureText.picture(language) }
        message.text = (model.message ?? PictureText.caption(of: model.selected?.picture))(language)
        if model.selected == nil { withSelected { $0.didSelect($1) } }
    }

    private func handle(_ key: Key) -> Bool {
        switch key {
        case .character("d"), Key(.delete): withSelected { $0.didRemove($1) }
        case .character("r") where hasFailed: listener?.didChooseRetry()
        default: return false
        }
        return true
    }

    func select(_ favourite: Favourite) { table.select(favourite.id) }

    private func withSelected(_ act: (any FavouritesPresentableListener, Favourite) -> Void) {
        guard let listener, let favourite = table.selectedItem else { return }
        act(listener, favourite)
    }

    private func arrange() {
        let isWide = view.traits.horizontal == .regular
        let hasRoom = isWide || view.bounds.height >= Self.rowsForPictureBelow
        split.arrangement = isEmpty || !hasRoom ? .first : isWide ? .sideBySide : .stacked
    }
}
