import AccountCore
import AppLanguage
import AppTestSupport
import AppUI
import Foundation
import LoopbackServer
import PictureCore
import RIBs
import TerminalTesting
import TerminalUI
import TestSupport
import Testing

@testable import TodoApp

/// Each step of the way with each fault of the server: the screen says what to do next, nothing is half stored, and the same
/// action succeeds once the server works again.
@Suite("Faults of the server at each step of the way", .timeLimit(.minutes(3)), .serialized)
@MainActor
struct FaultFlowTests {
    private static let faults = ["down", "hang", "half", "html", "500", "redirect"]
    private static let pictureFaults = ["json", "404", "empty", "nothing"]

    /// Runs a way with every fault at the same time, since it mostly waits for time limits and repeated requests.
    private func withEach(
        _ faults: [String],
        _ way: @escaping @MainActor @Sendable (_ fault: String) async throws -> Void
    ) async {
        let ways = faults.map { fault in
            Task { @MainActor in
                do { try await way(fault) } catch { Issue.record(error, "with the fault \(fault)") }
            }
        }
        for task in ways { await task.value }
    }

    /// The app on a terminal in memory.
    @MainActor
    final class Screen {
        let services: FaultyServices
        let root: any RootRouting
        let app: TestApplication

        init(_ services: FaultyServices) throws {
            self.services = services
            root = RootBuilder(dependency: services.app).build { _ in }
            let window = HoldingWindow()
            root.launch(in: window)
            app = TestApplication(
                root: try #require(window.controller),
                size: GridSize(width: 100, height: 40),
                theme: services.app.appearance.theme
            )
        }

        var text: String { app.text }

        func wait(_ step: String, _ condition: (String) -> Bool) async throws {
            try await app.wait(step, within: .seconds(60), until: condition)
        }

        func wait(for text: String) async throws { try await wait("\"\(text)\"") { $0.contains(text) } }

        func type(_ text: String, waitingFor shown: String) async throws {
            await app.type(text)
            try await wait(for: shown)
        }

        /// Waits for a message that says what to do next.
        func waitForAdvice(_ step: String) async throws {
            try await wait(step) { text in
                // A QR code or a picture may be beside the message.
                let text = text.split { $0.isWhitespace || $0 == "▀" }.joined(separator: " ")
                return ["Try again", "try again", "Check", "Request a", "Log in again"].contains { text.contains($0) }
            }
        }

        func quit() async {
            await app.quit()
            root.interactable.deactivate()
        }
    }

    /// Performs a step with a fault, and then without.
    private func step(
        _ name: String,
        _ fault: String,
        _ screen: Screen,
        perform: () async -> Void,
        succeeds: (String) -> Bool
    ) async throws {
        let before = await screen.services.account.session()
        try screen.services.fail(fault)
        await perform()
        try await screen.waitForAdvice("\(name), \(fault)")
        #expect(await screen.services.account.session() == before, "\(name), \(fault): the session has changed")
        try screen.services.fail(nil)
        await perform()
        try await screen.wait("\(name) after \(fault)", succeeds)
    }

    @Test("Sign-up, login, the account, logout and withdrawal")
    func account() async { await withEach(Self.faults, account(fault:)) }

    private func account(fault: String) async throws {
        let services = try await FaultyServices()
        defer { services.stop() }
        let screen = try Screen(services)

        // Sign-up: a reply that was lost can have used up the code, so that another one is requested.
        try await screen.wait(for: "PRESS START")
        try await screen.type("s", waitingFor: "Enter your telephone number")
        await screen.app.type("010-1234-5678")
        try await step("telephone number", fault, screen) {
            await screen.app.type("\n")
        } succeeds: {
            $0.contains("Enter the code")
        }
        try services.fail(fault)
        await screen.app.type(services.code + "\n")
        try await screen.waitForAdvice("code, \(fault)")
        try services.fail(nil)
        await screen.app.type("\n")
        try await screen.wait("code after \(fault)") {
            $0.contains("Your number is verified") || $0.contains("Request a new one")
        }
        if !screen.text.contains("Your number is verified") {
            let before = services.code
            await screen.app.click(on: "Send again")
            try await screen.wait("a new code after \(fault)") {
                services.code != before && !$0.contains("Requesting a code") && !$0.contains("Request a new one")
            }
            try await screen.type(services.code + "\n", waitingFor: "Your number is verified")
        }
        await screen.app.type("maxdog\t\(FaultyServices.password)\tMax\t2001-03-09\tmax@example.com")
        try services.fail(fault)
        await screen.app.type("\n")
        try await screen.waitForAdvice("sign-up, \(fault)")
        #expect(screen.text.contains("max@example.com"), "the typed values are still there")
        #expect(await services.account.session() == .signedOut)
        try services.fail(nil)
        await screen.app.type("\n")
        // The account exists if only the reply was lost: then the same form signs in, or the id is taken by this very user.
        try await screen.wait("sign-up after \(fault)") {
            $0.contains("Welcome, Max") || $0.contains("taken") || $0.contains("Request a code")
        }
        if !screen.text.contains("Welcome, Max") {
            await screen.app.press(.escape)
            await screen.app.click(on: "Discard  ")
            try await screen.wait(for: "PRESS START")
            try await screen.type("l", waitingFor: "Password")
            try await screen.type("maxdog\t\(FaultyServices.password)\n", waitingFor: "Stay logged in on this machine?")
            await screen.app.click(on: " Agree ")
            try await screen.wait(for: "Welcome, Max")
        }

        // The account.
        try await screen.type("o", waitingFor: "Max (maxdog)")
        try await screen.type("\t\t\t\t\t\n", waitingFor: "Delete account")
        try await screen.wait("queue") { $0.contains("waiting") }
        await screen.app.type("ie")
        try await step("nickname", fault, screen) {
            await screen.app.type("\n")
        } succeeds: {
            $0.contains("The account is saved.")
        }
        try await step("queue", fault, screen) {
            await screen.app.click(
                on: screen.text.contains("Join the waiting list") ? "Join the waiting list" : "Leave the waiting list"
            )
        } succeeds: {
            $0.contains("place 1 of 1") || $0.contains("0 people")
        }
        await screen.app.click(on: "from the device")
        await screen.app.type("push-secret")
        // Without a body that could be cut, "half" is no fault.
        try await step("push token", fault == "half" ? "500" : fault, screen) {
            await screen.app.type("\n")
        } succeeds: {
            $0.contains("The push token is saved.")
        }
        #expect(screen.text.contains("push-secret"), "the typed token is still there")

        // Logout succeeds on this machine in every case.
        await screen.app.press(.escape)
        try await screen.wait(for: "Maxie (maxdog)")
        try services.fail(fault)
        await screen.app.click(on: "Log out")
        try await screen.wait(for: "PRESS START")
        try await screen.wait("logout") { $0.contains("Logged out on this machine") || $0.contains("Logged out.") }
        #expect(await services.account.session() == .signedOut)

        // Login, which asks for the consent to automatic login once.
        try services.fail(nil)
        try await screen.type("l", waitingFor: "Password")
        await screen.app.type("maxdog\t\(FaultyServices.password)")
        try await step("login", fault, screen) {
            await screen.app.type("\n")
            await screen.app.click(on: " Agree ")
        } succeeds: {
            $0.contains("Welcome, Maxie")
        }

        // The withdrawal. After a lost reply the account is gone already, which the next request reports.
        try await screen.type("o", waitingFor: "Maxie (maxdog)")
        try await screen.type("\t\t\t\t\t\n", waitingFor: "Delete account")
        for isFaulty in [true, false] where !screen.text.contains("PRESS START") {
            try services.fail(isFaulty ? fault : nil)
            await screen.app.click(on: "Delete account")
            try await screen.wait(for: "Enter your password")
            await screen.app.type(FaultyServices.password + "\t\t\n")
            if isFaulty {
                // The response of a withdrawal has no body that could be cut.
                if fault == "half" {
                    try await screen.wait(for: "PRESS START")
                } else {
                    try await screen.waitForAdvice("withdrawal, \(fault)")
                }
            } else {
                try await screen.wait("withdrawal after \(fault)") {
                    $0.contains("PRESS START") || $0.contains("Log in again")
                }
            }
        }
        await screen.quit()
        expectSecrecy(services, [FaultyServices.password])
    }

    /// Checks that the other host has received no credential and no form.
    private func expectNoCredential(_ services: FaultyServices) {
        for request in services.elsewhere.requests {
            #expect(request.method == "GET" && request.body.isEmpty)
            #expect(request.header("Authorization") == nil && request.header("x-api-key") == nil)
        }
    }

    /// Checks that the other host has received nothing of the account, and that no file contains a secret.
    private func expectSecrecy(_ services: FaultyServices, _ secrets: [String]) {
        // A picture that is fetched in the background may be there: it is no secret.
        let account = services.elsewhere.requests.filter { $0.header("User-Agent") == "PawKit" }
        #expect(account.isEmpty, "\(account.map(\.target))")
        expectNoCredential(services)
        for name in FileManager.default.enumerator(atPath: services.folder.path)?.compactMap({ $0 as? String }) ?? [] {
            let data = FileManager.default.contents(atPath: services.folder.path + "/" + name) ?? Data()
            for secret in secrets { #expect(data.range(of: Data(secret.utf8)) == nil, "\(name) contains \(secret)") }
        }
    }

    @Test("The code, the approval and the logout of an outside provider")
    func provider() async { await withEach(Self.faults, provider(fault:)) }

    private func provider(fault: String) async throws {
        let services = try await FaultyServices()
        defer { services.stop() }
        let screen = try Screen(services)
        try await screen.wait(for: "PRESS START")

        try services.fail(fault)
        await screen.app.type("1")
        try await screen.waitForAdvice("request for a code, \(fault)")
        #expect(await services.account.session() == .signedOut)
        try services.fail(nil)
        try await screen.type("n", waitingFor: "WDJB-MJHT")

        // A provider that cannot be reached is asked again until the code expires. Only a valid HTTP response that is not one
        // of the protocol ends the sign-in.
        try services.fail(fault)
        try await screen.waitForAdvice("poll, \(fault)")
        #expect(await services.account.session() == .signedOut)
        #expect(screen.text.contains("WDJB-MJHT") == (fault != "html"))
        try services.fail(nil)
        if fault == "html" { try await screen.type("n", waitingFor: "WDJB-MJHT") }
        services.approve()
        try await screen.wait(for: "Welcome, Jisu")

        // The session ends on this machine even if the tokens cannot be revoked.
        try await screen.type("o", waitingFor: "Jisu (Google)")
        try services.fail(fault)
        await screen.app.click(on: "Log out")
        try await screen.wait(for: "PRESS START")
        try await screen.wait("logout") { $0.contains("Logged out on this machine") || $0.contains("Logged out.") }
        #expect(await services.account.session() == .signedOut)
        await screen.quit()
        expectSecrecy(services, ["dc-secret", "at-secret", "rt-secret"])
    }

    @Test("The launch, without an account and signed in")
    func launch() async { await withEach(Self.faults, launch(fault:)) }

    private func launch(fault: String) async throws {
        let services = try await FaultyServices()
        defer { services.stop() }
        try services.fail(fault)
        let first = try Screen(services)
        try await first.wait(for: "PRESS START")
        try await first.waitForAdvice("first launch, \(fault)")
        try await first.type("g", waitingFor: "Nothing to do")
        await first.quit()

        let guest = try Screen(services)
        try await guest.wait(for: "Nothing to do")
        try await guest.waitForAdvice("launch of a guest, \(fault)")
        await guest.quit()

        // Signed in: the stored profile, or the nickname screen for a status besides 200 and 401.
        try services.fail(nil)
        _ = try await services.account.requestCode(phone: "010-1234-5678")
        try await services.account.verify(code: services.code)
        let form = SignUpForm(
            id: "maxdog",
            password: FaultyServices.password,
            nickname: "Max",
            birth: "2001-03-09",
            email: "max@example.com",
            gender: .unspecified
        )
        _ = try await services.account.signUp(form)
        let session = await services.account.session()
        try services.fail(fault)
        let signedIn = try Screen(services)
        if ["500", "404"].contains(fault) {
            try await signedIn.wait(for: "Enter the details of your account")
        } else {
            try await signedIn.wait(for: "Nothing to do")
        }
        try await signedIn.waitForAdvice("launch of a user, \(fault)")
        #expect(await services.account.session() == session)
        await signedIn.quit()
        try services.fail(nil)
        let later = try Screen(services)
        try await later.wait(for: "Nothing to do")
        try await later.type("o", waitingFor: "Max (maxdog)")
        await later.quit()
        // The picture may be on another host, which receives no secret; the account's requests do not follow redirects.
        expectNoCredential(services)
    }

    @Test("The picture")
    func picture() async { await withEach(Self.faults + Self.pictureFaults, picture(fault:)) }

    private func picture(fault: String) async throws {
        let services = try await FaultyServices()
        defer { services.stop() }
        try await services.account.continueAsGuest()
        let screen = try Screen(services)
        try await screen.wait(for: "Nothing to do")
        try await screen.wait("the first picture") { $0.contains("▀") && $0.contains("127.0.0.1") }
        try services.fail(fault)
        await screen.app.type("p")
        if fault == "hang" {
            // The list does not wait for the picture.
            try await screen.type("nwalk the dog\n", waitingFor: "[ ] walk the dog")
        } else {
            try await screen.wait("picture, \(fault)") {
                let caption = Self.rightColumn($0)
                return caption.contains("not a new picture") || caption.contains("the picture service")
                    || caption.contains("cannot be decoded")
            }
            #expect(screen.text.contains("▀"), "the last picture stays")
            #expect(Self.rightColumn(screen.text).contains("again with p"))
            try services.fail(nil)
            await screen.app.type("p")
            try await screen.wait("picture after \(fault)") {
                let caption = Self.rightColumn($0)
                return caption.contains("127.0.0.1") && !caption.contains("the picture service")
                    && !caption.contains("not a new picture")
            }
        }
        await screen.quit()
        // A picture may be on another host.
        expectNoCredential(services)
    }

    /// The text right of the list, where it wraps.
    private static func rightColumn(_ text: String) -> String {
        text.split(separator: "\n").compactMap { line in
            line.split { "│┤╯".contains($0) }.last?.trimmingCharacters(in: .whitespaces)
        }.joined(separator: " ")
    }

    @Test("The favourites")
    func favourites() async { await withEach(Self.faults + Self.pictureFaults, favourites(fault:)) }

    private func favourites(fault: String) async throws {
        let services = try await FaultyServices()
        defer { services.stop() }
        try await services.account.continueAsGuest()
        let screen = try Screen(services)
        try await screen.wait("the first picture") { $0.contains("▀") && $0.contains("127.0.0.1") }
        try await screen.type("f", waitingFor: "Saved as a favourite.")
        // The clock of the window stands still, and with it the time of the message.
        await screen.app.click(on: "✕")
        let stored = try await services.favourites.favourites()
        #expect(stored.count == 1)

        try services.fail(fault)
        await screen.app.type("F")
        if fault == "hang" {
            // The list does not wait for the picture.
            try await screen.wait(for: "The picture is being fetched")
            await screen.app.press(.escape)
            try await screen.wait(for: "Nothing to do")
            await screen.app.type("F")
        }
        try await screen.wait("favourite, \(fault)") {
            $0.contains("try again with r") || $0.contains("remove it with d")
        }
        #expect(try await services.favourites.favourites() == stored)
        try services.fail(nil)
        await screen.app.type("r")
        try await screen.wait("favourite after \(fault)") { $0.contains("▀") && !$0.contains("with r") }

        // A favourite is removed without the service.
        try services.fail(fault)
        try await screen.type("d", waitingFor: "No favourites yet")
        #expect(try await services.favourites.favourites().isEmpty)
        await screen.quit()
        // A picture may be on another host, which receives no credential.
        expectNoCredential(services)
    }
}
