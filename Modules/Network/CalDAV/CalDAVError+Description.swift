import HTTPTransport
import NetworkProvider
import TextEscaping

extension CalDAVError: CustomStringConvertible {
    /// The method, the server, the reason and the next step, in one line without secrets.
    public var description: String {
        let place = element.map { " (in \($0))" } ?? ""
        return "\(method) \(server)\(path): \(summary)\(place)".escapingControls()
    }

    private var summary: String {
        switch reason {
        case .unauthorized: "the server does not accept the user, the password or the token; sign in again"
        case .insecureConnection: "the credential is not sent over a connection without TLS; use an https URL"
        case .certificate(let problem): "the server's certificate is not accepted (\(problem)); nothing was sent"
        case .network(let error): "\(CalDAVError.text(error)); try again later"
        case .busy(let pause):
            "the server is busy; try again " + (pause.map { "in \($0.components.seconds) s" } ?? "later")
        case .notFound: "it does not exist; list the calendars again"
        case .refused(let status, let condition):
            "the server refused it with status \(status)" + (condition.map { " (\($0))" } ?? "")
        case .notCalDAV where element != nil: "the user has no calendars here; check the address"
        case .notCalDAV: "there is no CalDAV service here; check the address"
        case .refusedRedirect(let why): "the redirect is not followed: \(why); check the address"
        case .malformedReply(let what): "the reply is not CalDAV: \(what); report it to the server's operator"
        case .limitExceeded(let what): "\(what); raise CalDAVLimits if the server is trusted"
        case .invalidRequest(let what): "the request is invalid: \(what)"
        case .cancelled: "cancelled"
        }
    }

    /// The description of an error without the request, which is named already.
    private static func text(_ error: NetworkError) -> String {
        guard case .transport(var failure) = error.reason else { return "\(error)" }
        failure.location = nil
        return failure.description
    }
}
