import EssentialFoundation

/// A response of an authorization server: a JSON object or, as some providers send, a form.
struct DeviceReply: Sendable {
    /// A member of the object: providers write numbers as text and the other way round.
    enum Member: Sendable, Decodable {
        case text(String)
        case number(Double)
        case object([String: Member])
        case other

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else if let object = try? container.decode([String: Member].self) {
                self = .object(object)
            } else {
                self = .other
            }
        }
    }

    /// The status of the response.
    let status: Int
    /// The value of `Retry-After` in seconds, if there is one.
    let retryAfter: Int?
    private let members: [String: Member]

    /// Reads a response; any body is accepted, and one that cannot be read has no members.
    init(status: Int, retryAfter: Int?, body: Data) {
        (self.status, self.retryAfter) = (status, retryAfter)
        if let members = try? JSONDecoder().decode([String: Member].self, from: body) {
            self.members = members
        } else {
            let request = BackendRequest(method: "", path: "", headers: [:], body: body, address: "")
            members = request.form.mapValues { .text($0) }
        }
    }

    /// Returns a text of at most 4,096 bytes without control characters, by the first of several names that is present.
    func text(_ names: String...) -> String? {
        for name in names {
            if case .text(let text) = members[name], !text.isEmpty { return Self.isPlain(text) ? text : nil }
        }
        return nil
    }

    /// Returns a number that is not negative.
    func number(_ name: String) -> Int? {
        switch members[name] {
        case .number(let number) where number >= 0 && number < 1e9: Int(number)
        case .text(let text): Int(text).flatMap { $0 >= 0 ? $0 : nil }
        default: nil
        }
    }

    /// Returns an object in the response.
    func object(_ name: String) -> DeviceReply? {
        guard case .object(let members) = members[name] else { return nil }
        return DeviceReply(status: status, retryAfter: retryAfter, members: members)
    }

    private init(status: Int, retryAfter: Int?, members: [String: Member]) {
        (self.status, self.retryAfter, self.members) = (status, retryAfter, members)
    }

    private static func isPlain(_ text: String) -> Bool {
        text.utf8.count <= 4_096 && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}
