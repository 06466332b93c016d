import RIBs
import Testing

@testable import SyncFeature

@Suite("The logic of Sync")
@MainActor
struct SyncInteractorTests {
    final class Screen: SyncPresentable, SyncViewControllable {
        weak var listener: (any SyncPresentableListener)?
    }

    final class Parent: SyncListener {
        var closes = 0

        func syncDidClose() { closes += 1 }
    }

    @Test("Sync reports that it is to be closed")
    func closes() {
        let (screen, parent) = (Screen(), Parent())
        let interactor = SyncInteractor(presenter: screen)
        interactor.listener = parent
        interactor.activate()
        screen.listener?.didClose()
        #expect(parent.closes == 1)
    }

    @Test("Sync is active while its router is attached, and is deallocated with it")
    func lifetime() {
        weak var released: SyncInteractor?
        do {
            let screen = Screen()
            let interactor = SyncInteractor(presenter: screen)
            let router = SyncRouter(interactor: interactor, viewController: screen)
            interactor.router = router
            released = interactor
            let parent = Router(interactor: Interactor())
            parent.attachChild(router)
            #expect(interactor.isActive)
            parent.detachChild(router)
            #expect(!interactor.isActive)
        }
        #expect(released == nil)
    }
}
