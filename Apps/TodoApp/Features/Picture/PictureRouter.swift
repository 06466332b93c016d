import RIBs

/// A leaf: it has no children.
@MainActor
final class PictureRouter: ViewableRouter<PictureInteractor, PictureViewController>, PictureRouting {
    func showNext() {
        interactor.didChooseNext()
    }
}
