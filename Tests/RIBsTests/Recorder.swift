import RIBs

/// The calls of a test's RIBs, in order.
@MainActor
final class Recorder {
    private(set) var calls: [String] = []

    func record(_ call: String) { calls.append(call) }

    /// The calls so far; the list begins anew.
    func take() -> [String] {
        defer { calls = [] }
        return calls
    }
}

/// An interactor that records its hooks, and in which of them it is inactive.
class RecordingInteractor: Interactor {
    let name: String
    let recorder: Recorder
    var whenActive: (@MainActor () -> Void)?
    var whenResigning: (@MainActor () -> Void)?

    init(_ name: String, _ recorder: Recorder) {
        self.name = name
        self.recorder = recorder
    }

    override func didBecomeActive() {
        recorder.record("\(name).didBecomeActive\(isActive ? "" : " while inactive")")
        whenActive?()
    }

    override func willResignActive() {
        recorder.record("\(name).willResignActive\(isActive ? "" : " while inactive")")
        whenResigning?()
    }
}

final class RecordingRouter: Router<RecordingInteractor> {
    override func didLoad() { interactor.recorder.record("\(interactor.name).didLoad") }

    init(_ name: String, _ recorder: Recorder, leakDetector: LeakDetector = .current) {
        super.init(interactor: RecordingInteractor(name, recorder), leakDetector: leakDetector)
    }
}

/// The misuses that a test's RIBs reported.
@MainActor
final class MisuseReports {
    var misuses: [Misuse] = []
}

final class RecordingViewController: ViewControllable {}

final class RecordingLaunchRouter: LaunchRouter<RecordingInteractor, RecordingViewController> {
    override func didLoad() { interactor.recorder.record("\(interactor.name).didLoad") }

    init(_ name: String, _ recorder: Recorder) {
        super.init(interactor: RecordingInteractor(name, recorder), viewController: RecordingViewController())
    }
}

final class RecordingWindow: RootWindow {
    let recorder: Recorder
    private(set) var root: (any ViewControllable)?

    init(_ recorder: Recorder) { self.recorder = recorder }

    func setRootViewController(_ viewController: any ViewControllable) {
        root = viewController
        recorder.record("window.setRoot")
    }

    func makeVisible() { recorder.record("window.makeVisible") }
}
