import AppLanguage
import AppUI
import NeedleKit
import PictureCore
import Pictures
import RIBs
import TerminalUI

/// The list of favourites and the picture of the selected one: side by side, or one above the other on a narrow screen.
@MainActor
final class FavouritesViewController: ViewController, FavouritesPresentable, ViewControllable, KeyHinting {
    weak var listener: (any FavouritesPresentableListener)?

    private let language: AppLanguage
    private let list = ListView()
    private let image = ImageView()
    private let message = Label("", role: .secondary)
    private var items: ListItems<Favourite>?
    /// The traits that the screen is arranged for.
    private var arranged: Traits?
    /// Whether there is no favourite, so that the text that says so has the whole screen.
    private var isEmpty = true
    /// Whether the picture can be requested again.
    private var hasFailed = false

    init(appearance: Appearance) {
        language = appearance.language
        super.init()
        title = PictureText.title(appearance.language)
    }

    var keyHints: [KeyHint] {
        [
            KeyHint(Key(.enter), PictureText.show), KeyHint("d", PictureText.remove),
        ]
            + (hasFailed ? [KeyHint("r", PictureText.retry)] : []) + [KeyHint(Key(.escape), PictureText.back)]
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        for child in [list, image, message] as [View] { view.addSubview(child) }
        message.ndl.makeConstraints { make in
            make.left.equalTo(view).offset(1)
            make.right.equalTo(view).offset(-1)
            make.bottom.equalTo(view)
            make.height.equalTo(1)
        }
        let language = language
        items = ListItems(list) { list, favourite in
            let cell = list.dequeue(TextCell.self)
            cell.text = favourite.picture.breed ?? PictureText.unknownBreed(language)
            cell.detail = PictureText.host(of: favourite.picture.url)
            return cell
        }
        list.onSelect = { [weak self] _ in self?.withSelected { $0.didSelect($1) } }
        list.onActivate = { [weak self] _ in self?.withSelected { $0.didChoose($1) } }
        list.onKey = { [weak self] in self?.handle($0) ?? false }
    }

    override func viewDidAppear() {
        super.viewDidAppear()
        list.becomeFirstResponder()
        withSelected { $0.didSelect($1) }
    }

    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        if arranged != view.traits { arrange() }
    }

    override func keyDown(_ key: Key) -> Bool {
        guard key == Key(.escape) else { return false }
        listener?.didClose()
        return true
    }

    func show(_ model: FavouritesModel) {
        items?.apply(model.favourites)
        if model.favourites.isEmpty != isEmpty {
            isEmpty = model.favourites.isEmpty
            arrange()
        }
        hasFailed = model.hasFailed
        list.emptyText = model.isLoaded ? PictureText.empty(language) : ""
        image.picture = model.preview
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

    func select(_ favourite: Favourite) { items?.select(favourite.id) }

    private func withSelected(_ act: (any FavouritesPresentableListener, Favourite) -> Void) {
        guard let listener, let favourite = items?.selectedItem else { return }
        act(listener, favourite)
    }

    private func arrange() {
        arranged = view.traits
        let isWide = view.traits.horizontal == .regular
        image.isHidden = isEmpty
        image.ndl.remakeConstraints { make in
            make.right.equalTo(view)
            make.bottom.equalTo(message.ndl.top)
            if isWide {
                make.top.equalTo(view)
                make.width.equalTo(view).multipliedBy(0.5)
            } else {
                make.left.equalTo(view)
                make.height.equalTo(view).multipliedBy(0.5)
            }
        }
        list.ndl.remakeConstraints { make in
            make.top.equalTo(view)
            make.left.equalTo(view)
            if isEmpty {
                make.right.equalTo(view)
                make.bottom.equalTo(message.ndl.top)
            } else if isWide {
                make.bottom.equalTo(message.ndl.top)
                make.width.equalTo(view).multipliedBy(0.5).offset(-1)
            } else {
                make.right.equalTo(view)
                make.bottom.equalTo(image.ndl.top)
            }
        }
    }
}
