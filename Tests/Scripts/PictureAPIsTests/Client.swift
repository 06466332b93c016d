import Foundation
import PictureAPIs

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A plain HTTP client against one server.
struct Client {
    var base: String
    var headers: [String: String] = ["User-Agent": "PawKit tests"]

    struct Answer {
        var status: Int
        var data: Data
        var headers: [String: String]
        var text: String { String(decoding: data, as: UTF8.self) }
    }

    func get(_ path: String) async throws -> Answer { try await get(at: base + path) }

    func get(at address: String) async throws -> Answer {
        guard let url = URL(string: address) else { throw URLError(.badURL) }
        var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 20)
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        let (data, response) = try await session.data(for: request)
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        var fields: [String: String] = [:]
        for (name, value) in response.allHeaderFields { fields["\(name)".lowercased()] = "\(value)" }
        return Answer(status: response.statusCode, data: data, headers: fields)
    }

    func json<Value: Decodable>(_ type: Value.Type, _ path: String) async throws -> Value {
        try JSONDecoder().decode(type, from: try await get(path).data)
    }
}

/// The dog service's envelope.
struct DogEnvelope<Message: Decodable>: Decodable {
    var message: Message
    var status: String
    var code: Int?
}

/// The cat service's picture.
struct CatAnswer: Decodable {
    struct Breed: Decodable {
        var id: String
        var name: String
    }
    var id: String
    var url: String
    var width: Int
    var height: Int
    var breeds: [Breed]?
}
