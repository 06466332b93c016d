import AccountCore
import AppLanguage
import CommandKit
import TextEscaping

/// The `account` commands. They call the use cases of the account, as the screens do.
///
/// Passwords are read from the terminal without echo or from standard input, never from an argument, which other users of the
/// machine can see.
struct AccountCommands {
    let account: any AccountServing
    let console: Console
    let prompt: Prompt
    /// The program's name, for notices.
    let program: String
    /// The address of the server; `nil` for the embedded one.
    let server: String?
    /// The todos of this machine, for a logout that removes them.
    let todos: TodoRemoval

    /// Runs an `account` command.
    func run(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        switch command.verb {
        case .accountSignUp: return try await signUp(command)
        case .accountLogin: return try await login(command)
        case .accountPassword: return try await changePassword()
        case .accountLogout: return try await logout(command)
        case .accountWithdraw: return try await withdraw(command)
        default: return await status(command)
        }
    }

    // MARK: Status

    /// The document of `account status --json`.
    struct Status: Encodable {
        let status: String
        let server: String
        @OrNull var profile: Profile?
        let warnings: [String]
    }

    private func status(_ command: AppCommand) async -> ScriptResult {
        var session = await account.session()
        var warnings: [String] = []
        if let profile = session.profile, profile.provider == nil {
            do throws(AccountError) {
                session = .signedIn(try await account.loadProfile().value)
            } catch {
                warnings.append(error.text(.english))
                session = await account.session()
            }
        }
        if command.has("json") {
            let status = Status(
                status: Self.name(of: session),
                server: server ?? "embedded",
                profile: session.profile,
                warnings: warnings
            )
            return .json(status)
        }
        return ScriptResult(output: Self.text(of: session) + "\n", notices: warnings)
    }

    private static func name(of session: AccountSession) -> String {
        switch session {
        case .signedOut: "signed-out"
        case .guest: "guest"
        case .signedIn: "signed-in"
        }
    }

    private static func text(of session: AccountSession) -> String {
        switch session {
        case .signedOut: "not signed in"
        case .guest: "guest: no account"
        case .signedIn(let profile): "signed in as \(name(of: profile))"
        }
    }

    /// The id and the nickname of a profile, in a form that cannot control the terminal.
    private static func name(of profile: Profile) -> String {
        let source = profile.provider ?? profile.id
        return "\(source) (\(profile.nickname))".escapingControls()
    }

    // MARK: Sign-up and login

    /// Refuses a server that requires a newer version, as the launch does. One whose version is not known is asked anyway.
    private func checkVersion() async throws(ScriptFailure) {
        guard server != nil, case .outdated(let version) = await account.checkVersion() else { return }
        throw ScriptFailure(.nothingMatched, version.text(.english))
    }

    private func signUp(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        try await checkVersion()
        let phone = try value("phone", "Telephone number", command)
        var draft = SignUpForm()
        draft.id = try value("id", "Id (6 to 12 characters)", command)
        draft.password = try ask("Password (6 to 12 characters)", isSecret: true)
        if prompt.isInteractive, try ask("Password again", isSecret: true) != draft.password {
            throw ScriptFailure(.usage, "the two passwords differ; nothing was created")
        }
        draft.nickname = try value("nickname", "Nickname", command)
        draft.birth = try value("birth", "Date of birth (2001-03-09)", command)
        draft.email = try value("email", "Email", command)
        draft.gender = command.value("gender").flatMap(Profile.Gender.init(rawValue:)) ?? .unspecified
        // Checked before a code is requested, of which there are few in an hour.
        if let field = draft.firstInvalidField { throw ScriptFailure(AccountError.invalid(field)) }
        if AccountValidator.isCommonPassword(draft.password, id: draft.id) {
            throw ScriptFailure(AccountError.commonPassword)
        }
        let form = draft
        let profile: Profile
        if let continued = try await continuedSignUp(phone, form) {
            profile = continued
        } else {
            try await verify(phone)
            profile = try await attempt { () throws(AccountError) in try await account.signUp(form).value }
        }
        try await attempt { () throws(AccountError) in try await account.setAutoLoginConsent(true) }
        return ScriptResult(output: "signed up and signed in as \(Self.name(of: profile))\n")
    }

    /// Signs up with a number that was verified before. The response of that sign-up may be lost: a code for the number, which
    /// has an account now, would lead nowhere.
    ///
    /// - Returns: the profile; `nil` if the number has to be verified.
    private func continuedSignUp(_ phone: String, _ form: SignUpForm) async throws(ScriptFailure) -> Profile? {
        guard await account.isVerified(phone: phone) else { return nil }
        do throws(AccountError) {
            return try await account.signUp(form).value
        } catch .notVerified {
            return nil
        } catch {
            throw ScriptFailure(error)
        }
    }

    private func verify(_ phone: String) async throws(ScriptFailure) {
        let request = try await attempt { () throws(AccountError) in try await account.requestCode(phone: phone) }
        if let message = request.message { console.note("\(program): \(message(.english))") }
        // The embedded backend delivers the code to this program.
        let code = if let code = request.code { code } else { try ask("Verification code") }
        try await attempt { () throws(AccountError) in try await account.verify(code: code) }
    }

    private func login(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        if let name = command.value("provider") { return try await login(provider: name) }
        try await checkVersion()
        let id: String
        if let operand = command.operands.first { id = operand } else { id = try ask("Id") }
        let password = try ask("Password", isSecret: true)
        let profile = try await attempt { () throws(AccountError) in
            let profile = try await account.login(id: id, password: password).value
            try await account.setAutoLoginConsent(true)
            return profile
        }
        return ScriptResult(output: "signed in as \(Self.name(of: profile))\n")
    }

    /// Signs in with an outside provider: shows the address and the code, and waits.
    private func login(provider name: String) async throws(ScriptFailure) -> ScriptResult {
        guard let provider = account.providers.first(where: { $0.name.lowercased() == name.lowercased() }) else {
            let names = account.providers.map(\.name).joined(separator: ", ")
            let hint = names.isEmpty ? "no provider is configured" : "the providers are \(names)"
            throw ScriptFailure(.usage, "there is no provider \(name.quoted()); \(hint)")
        }
        var shown: DeviceCode?
        for await step in account.signIn(with: provider) {
            switch step {
            case .requesting: break
            case .waiting(let code, let problem):
                if shown != code { show(code, provider) }
                shown = code
                if let problem { console.note("\(program): \(problem.text(.english))") }
            case .finished(let profile):
                try await attempt { () throws(AccountError) in try await account.setAutoLoginConsent(true) }
                return ScriptResult(output: "signed in as \(Self.name(of: profile))\n")
            case .denied: throw ScriptFailure(.nothingMatched, "the sign-in was denied at \(provider.name)")
            case .expired:
                let message = "the code has expired; run the command again for a new one"
                throw ScriptFailure(.nothingMatched, message)
            case .failed(let error): throw ScriptFailure(error)
            }
        }
        throw ScriptFailure(AccountError.cancelled)
    }

    private func show(_ code: DeviceCode, _ provider: DeviceProvider) {
        console.note("Open \(code.address) on any device and enter the code \(code.userCode)")
        console.note("Only do this if you started the sign-in with \(provider.name) yourself.")
        guard prompt.isInteractive, let address = code.completeAddress, let qr = QRCode(address) else { return }
        for line in qr.lines() { console.complain(line + "\n") }
    }

    // MARK: Password, logout and withdrawal

    private func changePassword() async throws(ScriptFailure) -> ScriptResult {
        guard await account.session().profile != nil else { throw ScriptFailure(AccountError.sessionEnded) }
        let old = try ask("Present password", isSecret: true)
        let new = try ask("New password (6 to 12 characters)", isSecret: true)
        if prompt.isInteractive, try ask("New password again", isSecret: true) != new {
            throw ScriptFailure(.usage, "the two passwords differ; nothing was changed")
        }
        try await attempt { () throws(AccountError) in try await account.changePassword(from: old, to: new) }
        return ScriptResult(output: "the password is changed; every other session of the account has ended\n")
    }

    private func logout(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        var removesTodos = command.has("remove-todos")
        if !removesTodos, prompt.isInteractive, let question = await todos.question() {
            console.note("todos: \(question(.english))")
            removesTodos = try ask("Remove them from this machine, too? [y/N]").lowercased() == "y"
        }
        if removesTodos, let problem = await todos.perform() { throw ScriptFailure(.data, problem) }
        let result = try await attempt { () throws(AccountError) in try await account.logout() }
        let text = removesTodos ? result.text.followed(by: HomeText.todosRemoved) : result.text
        return ScriptResult(output: text(.english) + "\n")
    }

    private func withdraw(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        guard let profile = await account.session().profile else { throw ScriptFailure(AccountError.sessionEnded) }
        if !command.has("yes") {
            guard prompt.isInteractive else {
                throw ScriptFailure(.usage, "confirm with --yes that the account is deleted for good")
            }
            guard try ask("The account is deleted for good. Enter the id \(profile.id) to confirm") == profile.id else {
                throw ScriptFailure(.usage, "the id differs; nothing was deleted")
            }
        }
        let password = try ask("Password", isSecret: true)
        try await attempt { () throws(AccountError) in try await account.withdraw(password: password) }
        return ScriptResult(output: "the account is deleted; your todos and settings stay on this machine\n")
    }

    // MARK: Values

    /// The value of an option, or one that is asked for.
    private func value(_ option: String, _ label: String, _ command: AppCommand) throws(ScriptFailure) -> String {
        if let value = command.value(option) { return value }
        return try ask(label)
    }

    private func ask(_ label: String, isSecret: Bool = false) throws(ScriptFailure) -> String {
        try prompt.value(label, isSecret: isSecret) {
            "standard input ended; the next line should be: \($0.lowercased())"
        }
    }
}
