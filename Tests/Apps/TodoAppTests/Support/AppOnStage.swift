import AccountCore
import AppLanguage
import AppTestSupport
import AppUI
import Foundation
import RIBs
import TerminalUI
import TestSupport
import Testing

@testable import TodoApp

extension AppOnScreen {
    /// Launches the app over fakes and opens the screen of a stage.
    static func on(
        _ stage: ScreenStage,
        width: Int = 80,
        height: Int = 24,
        language: AppLanguage = .english,
        depth: ColorDepth = .trueColor
    ) async throws -> AppOnScreen {
        let profile = Profile(id: "maxdog", nickname: "Max", phone: "+821012345678", birth: "2001-03-09")
        let branch: LaunchBranch =
            switch stage.launch {
            case .tutorial: .tutorial
            case .start: .login
            case .nickname: .nickname
            case .account: .main(profile)
            case .checkingVersion, .outdated, .main: .main(nil)
            }
        let account = FakeAccount(branch: branch)
        account.pendingCode = CodeRequest(length: 6, validSeconds: 600, resendSeconds: 30)
        account.deviceSteps = [
            .requesting,
            .waiting(
                DeviceCode(
                    userCode: "WDJB-MJHT",
                    address: "https://provider.test/device",
                    completeAddress: "https://provider.test/device?user_code=WDJB-MJHT",
                    expires: .distantFuture
                ),
                problem: nil
            ),
        ]
        switch stage.launch {
        case .checkingVersion: account.isHeld = true
        case .outdated:
            account.version = .outdated(
                OutdatedVersion(
                    current: "0.1.0",
                    required: "2.0",
                    instructions: LocalizedText("Install the new version.", ko: "새 버전을 설치하세요.")
                )
            )
        default: break
        }
        let pictures = FakePictureService()
        pictures.repeated = .sample("Pug")
        let screen = try await AppOnScreen(
            width: width,
            height: height,
            todos: ["walk the dog", "우유 사기 due:2026-03-09"],
            pictures: pictures,
            depth: depth,
            account: account,
            language: language,
            waitsForTodos: false,
            screenState: stage.snapshot
        )
        screen.services.favouritesFake.add(3)
        if stage.launch != .checkingVersion { try await screen.wait { screen.isOn(stage, $0) } }
        await screen.type(stage.keys)
        return screen
    }

    /// Whether the place of a stage is open, with a text on the screen.
    private func isOn(_ stage: ScreenStage, _ text: String) -> Bool {
        guard let root = root as? any RootInternalRouting else { return false }
        var nodes = [root.snapshot]
        for name in stage.place { nodes = nodes.flatMap(\.children).filter { $0.id == name } }
        switch stage.launch {
        case .main, .account: return root.home != nil && !nodes.isEmpty
        case .start, .nickname: return root.loggedOut != nil && !nodes.isEmpty
        // The tutorial is attached beside the splash screen.
        case .tutorial: return root.children.count > 1
        case .outdated: return text.contains("Install the new version.") || text.contains("새 버전을 설치하세요.")
        case .checkingVersion: return true
        }
    }
}
