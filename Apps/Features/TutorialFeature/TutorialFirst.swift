import AppLanguage
import AppUI
import RIBs
import TerminalUI

/// The parent of the first page.
@MainActor
protocol TutorialFirstListener: AnyObject {
    /// The next page is to be shown.
    func tutorialFirstDidContinue()

    /// The tutorial is to end.
    func tutorialFirstDidSkip()
}

/// Creates the first page: how todos are typed.
@MainActor
final class TutorialFirstBuilder: Builder<any TutorialPageDependency> {
    /// Creates the RIB.
    func build(withListener listener: any TutorialFirstListener) -> any ViewableRouting {
        let viewController = TutorialPageViewController(
            page: TutorialFirstText.page(appearance: dependency.appearance),
            appearance: dependency.appearance
        )
        let interactor = TutorialFirstInteractor(presenter: viewController)
        interactor.listener = listener
        return TutorialFirstRouter(interactor: interactor, viewController: viewController)
    }
}

/// The router of the first page, which has no children.
@MainActor
final class TutorialFirstRouter: ViewableRouter<TutorialFirstInteractor, TutorialPageViewController> {}

/// The logic of the first page: reports the user's choice to the tutorial.
@MainActor
final class TutorialFirstInteractor: PresentableInteractor<any TutorialPagePresentable>,
    TutorialPagePresentableListener
{
    weak var listener: (any TutorialFirstListener)?

    init(presenter: any TutorialPagePresentable) {
        super.init(presenter: presenter)
        presenter.listener = self
    }

    func didChoose(_ index: Int) {
        switch index {
        case 0: listener?.tutorialFirstDidContinue()
        default: listener?.tutorialFirstDidSkip()
        }
    }
}

/// The text of the first page.
enum TutorialFirstText {
    /// Returns the page for a flavour.
    static func page(appearance: Appearance) -> TutorialPage {
        TutorialPage(
            number: 1,
            title: LocalizedText("Todos, typed on one line", ko: "한 줄로 쓰는 할 일"),
            text: LocalizedText(
                "Type what is to be done, with its priority, project, context and date: "
                    + "(A) Buy milk +home @shop due:fri. The list shows it in its place.",
                ko: "할 일을 우선순위, 프로젝트, 장소, 날짜와 함께 한 줄에 씁니다: "
                    + "(A) 우유 사기 +home @shop due:fri. 목록이 알맞은 자리에 보여 줍니다."
            ),
            choices: [
                .init(title: LocalizedText("Next", ko: "다음"), key: .character("n"), isPrimary: true),
                .init(title: LocalizedText("Skip", ko: "건너뛰기"), key: Key(.escape)),
            ]
        )
    }
}
