import LoopbackServer
import Pictures

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The dog service: the paths and shapes of dog.ceo, and the pictures its answers point at.
struct DogRoutes: BackendRoutes {
    private static let mostPictures = 50
    private let choices: Choices
    private let store = PortraitStore()

    init(seed: UInt64) {
        choices = Choices(seed: seed)
    }

    func answer(to request: ServedRequest) async -> ServedResponse? {
        let segments = request.segments
        switch segments.first {
        case "breeds":
            guard request.path.hasSuffix(".jpg") || segments.count == 3 else { return nil }
            return await picture(at: request.path)
        case "api" where ["breed", "breeds"].contains(segments.dropFirst().first):
            return await api(request, Array(segments.dropFirst()))
        default: return nil
        }
    }

    private func picture(at path: String) async -> ServedResponse {
        guard let file = DogBreeds.file(at: path), let bytes = await store.bytes(of: file, path: path) else {
            return .page(status: 404, "Not Found")
        }
        return .data(Data(bytes), contentType: file.format.mediaType)
    }

    private func api(_ request: ServedRequest, _ segments: [String]) async -> ServedResponse {
        // The real service stands behind a filter that turns away clients without a name.
        guard let agent = request.header("User-Agent"), !agent.isEmpty else { return .page(status: 403, "Forbidden") }
        guard request.method == "GET" || request.method == "HEAD" else {
            return failure("Method not allowed: only GET is", code: 405)
        }
        switch (segments[0], Array(segments.dropFirst())) {
        case ("breeds", ["list", "all"]): return success(DogBreeds.all)
        case ("breeds", ["list"]): return success(DogBreeds.all.keys.sorted())
        case ("breeds", ["image", "random"]):
            return await random(nil, of: DogBreeds.everyPath, request)
        case ("breeds", let rest) where rest.count == 3 && rest.starts(with: ["image", "random"]):
            return await random(rest[2], of: DogBreeds.everyPath, request)
        case ("breed", let rest) where rest.count >= 2:
            return await breed(rest[0], Array(rest.dropFirst()), request)
        default: return noRoute(request)
        }
    }

    private func breed(_ name: String, _ rest: [String], _ request: ServedRequest) async -> ServedResponse {
        guard let subs = DogBreeds.all[name] else {
            return failure("Breed not found (main breed does not exist)", code: 404)
        }
        if rest == ["list"] { return success(subs) }
        var rest = rest
        var sub: String?
        if rest[0] != "images" {
            sub = rest.removeFirst()
            guard subs.contains(sub ?? "") else {
                return failure("Breed not found (sub breed does not exist)", code: 404)
            }
        }
        let paths = DogBreeds.folders(of: name, sub).flatMap { DogBreeds.paths(of: $0) }
        switch rest {
        case ["images"]: return success(paths.map { request.base + $0 })
        case ["images", "random"]: return await random(nil, of: paths, request)
        case let rest where rest.count == 3 && rest.starts(with: ["images", "random"]):
            return await random(rest[2], of: paths, request)
        default: return noRoute(request)
        }
    }

    /// One address where no number is given, else a list of at most 50.
    private func random(_ count: String?, of paths: [String], _ request: ServedRequest) async -> ServedResponse {
        guard let count else {
            let picked = await choices.pick(1, of: paths).first ?? ""
            return success(request.base + picked)
        }
        guard let number = Int(count) else { return noRoute(request) }
        return success(await choices.pick(min(max(number, 1), Self.mostPictures), of: paths).map { request.base + $0 })
    }

    private func success(_ message: some Encodable) -> ServedResponse {
        .json(DogAnswer(message: message, status: "success", code: nil))
    }

    private func failure(_ message: String, code: Int) -> ServedResponse {
        .json(DogAnswer(message: message, status: "error", code: code), status: code)
    }

    private func noRoute(_ request: ServedRequest) -> ServedResponse {
        failure("No route found for \"\(request.method) \(request.path)\"", code: 404)
    }
}

/// The envelope of every answer: the message is a text, a list or an object.
private struct DogAnswer<Message: Encodable>: Encodable {
    var message: Message
    var status: String
    var code: Int?
}
