import And
import AppLanguage
import AppUI
import NeedleKit
import Pictures
import RIBs
import TerminalUI

/// The picture, as large as possible, above its caption or the reason why it is not a new one.
@MainActor
final class PictureViewController: ViewController, PicturePresentable, ViewControllable {
    weak var listener: (any PicturePresentableListener)?

    private let image = ImageView()
    private let caption = Label("", role: .secondary).and {
        $0.numberOfLines = 4
        $0.alignment = .center
    }
    private let spinner: Spinner
    private let appearance: Appearance

    init(appearance: Appearance) {
        self.appearance = appearance
        spinner = Spinner(PictureText.wait(appearance.language))
        super.init()
        describe(nil)
        image.onPixelSizeChange = { [weak self] in self?.listener?.didChangeSize($0) }
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        for child in [image, caption, spinner] as [View] { view.addSubview(child) }
        image.ndl.makeConstraints { make in
            make.top.horizontal.equalTo(view)
            make.bottom.equalTo(caption.ndl.top)
        }
        caption.ndl.makeConstraints { make in
            make.horizontal.equalTo(view)
            make.bottom.equalTo(view)
        }
        spinner.ndl.makeConstraints { make in
            make.top.equalTo(view)
            make.right.equalTo(view)
        }
    }

    /// Sets the words in place of the picture, which are drawn until there is one.
    private func describe(_ picture: Picture?) {
        let text = picture == nil ? PictureText.coming(appearance.animal) : PictureText.picture
        image.accessibilityLabel = text(appearance.language)
    }

    func show(_ model: PictureModel) {
        image.picture = model.picture
        describe(model.picture)
        caption.text = model.notice ?? model.caption
        if model.isLoading { spinner.startAnimating() } else { spinner.stopAnimating() }
    }
}
