import AppLanguage
import AppUI
import RIBs
import TerminalUI

/// The parent of the second page.
@MainActor
protocol TutorialSecondListener: AnyObject {
    /// The next page is to be shown.
    func tutorialSecondDidContinue()

    /// The page before is to be shown.
    func tutorialSecondDidReturn()

    /// The tutorial is to end.
    func tutorialSecondDidSkip()
}

/// Creates the second page: the picture beside the list.
@MainActor
final class TutorialSecondBuilder: Builder<any TutorialPageDependency> {
    /// Creates the RIB.
    func build(withListener listener: any TutorialSecondListener) -> any ViewableRouting {
        let viewController = TutorialPageViewController(
            page: TutorialSecondText.page(appearance: dependency.appearance),
            appearance: dependency.appearance
        )
        let interactor = TutorialSecondInteractor(presenter: viewController)
        interactor.listener = listener
        return TutorialSecondRouter(interactor: interactor, viewController: viewController)
    }
}

/// The router of the second page, which has no children.
@MainActor
final class TutorialSecondRouter: ViewableRouter<TutorialSecondInteractor, TutorialPageViewController> {}

/// The logic of the second page: reports the user's choice to the tutorial.
@MainActor
final class TutorialSecondInteractor: PresentableInteractor<any TutorialPagePresentable>,
    TutorialPagePresentableListener
{
    weak var listener: (any TutorialSecondListener)?

    init(presenter: any TutorialPagePresentable) {
        super.init(presenter: presenter)
        presenter.listener = self
    }

    func didChoose(_ index: Int) {
        switch index {
        case 0: listener?.tutorialSecondDidContinue()
        case 1: listener?.tutorialSecondDidReturn()
        default: listener?.tutorialSecondDidSkip()
        }
    }
}

/// The text of the second page.
enum TutorialSecondText {
    /// Returns the page for a flavour.
    static func page(appearance: Appearance) -> TutorialPage {
        TutorialPage(
            number: 2,
            title: LocalizedText("A \(appearance.animal) beside them", ko: "곁에서 지켜보는 친구"),
            text: LocalizedText(
                "A picture of a \(appearance.animal) is shown beside the list. Press p for another one, and f to save "
                    + "a favourite. Choose a breed in your profile.",
                ko: "목록 옆에 사진이 나옵니다. p를 누르면 다른 사진이, f를 누르면 즐겨찾기에 저장됩니다. "
                    + "프로필에서 품종을 고를 수 있습니다."
            ),
            choices: [
                .init(title: LocalizedText("Next", ko: "다음"), key: .character("n"), isPrimary: true),
                .init(title: LocalizedText("Back", ko: "뒤로"), key: .character("b")),
                .init(title: LocalizedText("Skip", ko: "건너뛰기"), key: Key(.escape)),
            ]
        )
    }
}
