import AppLanguage
import AppUI
import RIBs
import TerminalUI

/// The content of a page.
struct TutorialPage: Sendable {
    /// Where a button leads.
    enum Action: Hashable, Sendable {
        case next, back
        case finish(signUp: Bool)
    }

    /// A button of a page and its key. The first one is the usual choice, which Enter presses.
    struct Choice: Sendable {
        let title: LocalizedText
        let key: Key
        let action: Action
    }

    let title: LocalizedText
    let text: LocalizedText
    let choices: [Choice]

    /// Returns the pages of a flavour.
    static func all(of appearance: Appearance, _ keys: PictureKeys) -> [TutorialPage] {
        let next = Choice(title: CommonText.next, key: .character("n"), action: .next)
        let back = Choice(title: CommonText.back, key: .character("b"), action: .back)
        let skip = Choice(title: CommonText.skip, key: Key(.escape), action: .finish(signUp: false))
        return [
            TutorialPage(
                title: LocalizedText("Todos, typed on one line", ko: "한 줄로 쓰는 할 일"),
                text: LocalizedText(
                    "Type what is to be done, with its priority, project, context and date: "
                        + "(A) Buy milk +home @shop due:fri. The list shows it in its place.",
                    ko: "할 일을 우선순위, 프로젝트, 상황, 날짜와 함께 한 줄에 씁니다: "
                        + "(A) 우유 사기 +집 @가게 due:금요일. 목록이 알맞은 자리에 보여 줍니다."
                ),
                choices: [next, skip]
            ),
            TutorialPage(
                title: LocalizedText("A \(appearance.animal) beside them", ko: "곁에서 지켜보는 친구"),
                text: LocalizedText(
                    "A picture of a \(appearance.animal) is shown beside the list. Press \(keys.next) for another one, and "
                        + "\(keys.favourite) to save a favourite. Choose a breed in your profile.",
                    ko: "목록 옆에 사진이 나옵니다. \(keys.next) 키를 누르면 다른 사진이 나오고, \(keys.favourite) 키를 누르면 즐겨찾기에 "
                        + "저장됩니다. 프로필에서 품종을 고를 수 있습니다."
                ),
                choices: [next, back, skip]
            ),
            TutorialPage(
                title: LocalizedText("An account is optional", ko: "계정은 선택입니다"),
                text: LocalizedText(
                    "With an account you have a nickname and a profile. Without one, your todos stay on this machine as "
                        + "well. Do you want to sign up?",
                    ko: "계정이 있으면 닉네임과 프로필을 가질 수 있습니다. 계정이 없어도 할 일은 이 컴퓨터에 저장됩니다. "
                        + "회원가입을 할까요?"
                ),
                choices: [
                    Choice(title: CommonText.signUp, key: .character("s"), action: .finish(signUp: true)),
                    Choice(
                        title: LocalizedText("Not now", ko: "나중에"),
                        key: .character("n"),
                        action: .finish(signUp: false)
                    ),
                    back,
                ]
            ),
        ]
    }
}

/// The parent of a page.
@MainActor
protocol TutorialPageListener: AnyObject {
    /// A button was pressed.
    func tutorialPageDidChoose(_ action: TutorialPage.Action)
}

/// Creates a page.
@MainActor
final class TutorialPageBuilder: Builder<any TutorialDependency> {
    /// The pages.
    var pages: [TutorialPage] { TutorialPage.all(of: dependency.appearance, dependency.pictureKeys) }

    /// Creates the RIB of a page; `nil` after the last one.
    func build(withListener listener: any TutorialPageListener, index: Int) -> (any ViewableRouting)? {
        let pages = pages
        guard pages.indices.contains(index) else { return nil }
        let viewController = TutorialPageViewController(
            page: pages[index],
            number: "\(index + 1)/\(pages.count)",
            appearance: dependency.appearance
        )
        let interactor = TutorialPageInteractor(presenter: viewController)
        interactor.listener = listener
        return TutorialPageRouter(interactor: interactor, viewController: viewController)
    }
}

/// The router of a page, which has no children.
@MainActor
final class TutorialPageRouter: ViewableRouter<TutorialPageInteractor, TutorialPageViewController> {}

/// The logic of a page: reports the user's choice to the tutorial.
@MainActor
final class TutorialPageInteractor: PresentableInteractor<any TutorialPagePresentable>, TutorialPagePresentableListener
{
    weak var listener: (any TutorialPageListener)?

    init(presenter: any TutorialPagePresentable) {
        super.init(presenter: presenter)
        presenter.listener = self
    }

    func didChoose(_ action: TutorialPage.Action) { listener?.tutorialPageDidChoose(action) }
}
