import AppLanguage
import AppUI
import RIBs
import TerminalUI

/// The parent of the third page.
@MainActor
protocol TutorialThirdListener: AnyObject {
    /// The user wants to sign up.
    func tutorialThirdDidChooseSignUp()

    /// The user does not want to sign up now.
    func tutorialThirdDidDecline()

    /// The page before is to be shown.
    func tutorialThirdDidReturn()
}

/// Creates the third page: whether to sign up.
@MainActor
final class TutorialThirdBuilder: Builder<any TutorialPageDependency> {
    /// Creates the RIB.
    func build(withListener listener: any TutorialThirdListener) -> any ViewableRouting {
        let viewController = TutorialPageViewController(
            page: TutorialThirdText.page(appearance: dependency.appearance),
            appearance: dependency.appearance
        )
        let interactor = TutorialThirdInteractor(presenter: viewController)
        interactor.listener = listener
        return TutorialThirdRouter(interactor: interactor, viewController: viewController)
    }
}

/// The router of the third page, which has no children.
@MainActor
final class TutorialThirdRouter: ViewableRouter<TutorialThirdInteractor, TutorialPageViewController> {}

/// The logic of the third page: reports the user's choice to the tutorial.
@MainActor
final class TutorialThirdInteractor: PresentableInteractor<any TutorialPagePresentable>,
    TutorialPagePresentableListener
{
    weak var listener: (any TutorialThirdListener)?

    init(presenter: any TutorialPagePresentable) {
        super.init(presenter: presenter)
        presenter.listener = self
    }

    func didChoose(_ index: Int) {
        switch index {
        case 0: listener?.tutorialThirdDidChooseSignUp()
        case 1: listener?.tutorialThirdDidDecline()
        default: listener?.tutorialThirdDidReturn()
        }
    }
}

/// The text of the third page.
enum TutorialThirdText {
    /// Returns the page for a flavour.
    static func page(appearance: Appearance) -> TutorialPage {
        TutorialPage(
            number: 3,
            title: LocalizedText("An account is optional", ko: "계정은 선택입니다"),
            text: LocalizedText(
                "With an account you have a nickname and a profile. Without one, your todos stay on this machine as "
                    + "well. Do you want to sign up?",
                ko: "계정이 있으면 별명과 프로필을 가질 수 있습니다. 계정이 없어도 할 일은 이 컴퓨터에 저장됩니다. "
                    + "회원가입을 할까요?"
            ),
            choices: [
                .init(title: LocalizedText("Sign up", ko: "회원가입"), key: .character("s"), isPrimary: true),
                .init(title: LocalizedText("Not now", ko: "나중에"), key: .character("n")),
                .init(title: LocalizedText("Back", ko: "뒤로"), key: .character("b")),
            ]
        )
    }
}
