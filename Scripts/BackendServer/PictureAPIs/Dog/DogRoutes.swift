import EssentialFoundation
import LoopbackServer
import Pictures

/// The dog service: the paths and JSON of dog.ceo, and its pictures.
struct DogRoutes: BackendRoutes {
    private static let maximumPictures = 50
    private let choices: Choices
    private let store = PortraitStore.shared

    init(seed: UInt64) { choices = Choices(seed: seed) }

    func response(to request: ServedRequest) async -> ServedResponse? {
        let segments = request.segments
        switch segments.first {
        case "breeds":
            guard request.path.hasSuffix(".jpg") || segments.count == 3 else { return nil }
            return await store.response(for: DogBreeds.file(at: request.path), path: request.path)
        case "api" where ["breed", "breeds"].contains(segments.dropFirst().first):
            return await api(request, Array(segments.dropFirst()))
        default: return nil
        }
    }

    private func api(_ request: ServedRequest, _ segments: [String]) async -> ServedResponse {
        // The real service has a filter that refuses clients without a User-Agent.
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

    /// Returns one URL if there is no number, otherwise a list of at most 50.
    private func random(_ count: String?, of paths: [String], _ request: ServedRequest) async -> ServedResponse {
        guard let count else {
            let picked = await choices.pick(1, of: paths).first ?? ""
            return success(request.base + picked)
        }
        guard let number = Int(count) else { return noRoute(request) }
        return success(
            await choices.pick(min(max(number, 1), Self.maximumPictures), of: paths).map { request.base + $0 }
        )
    }

    private func success(_ message: some Encodable) -> ServedResponse {
        .json(DogEnvelope(message: message, status: "success", code: nil))
    }

    private func failure(_ message: String, code: Int) -> ServedResponse {
        .json(DogEnvelope(message: message, status: "error", code: code), status: code)
    }

    private func noRoute(_ request: ServedRequest) -> ServedResponse {
        failure("No route found for \"\(request.method) \(request.path)\"", code: 404)
    }
}

/// The JSON of every response; the message is a string, an array or an object.
private struct DogEnvelope<Message: Encodable>: Encodable {
    var message: Message
    var status: String
    var code: Int?
}

/// The breeds of the dog service, with their sub-breeds, and the pictures of each.
enum DogBreeds {
    /// The sub-breeds of each breed.
    static let all: [String: [String]] = [
        "affenpinscher": [], "akita": [], "beagle": [], "borzoi": [], "boxer": [],
        "bulldog": ["boston", "english", "french"], "chihuahua": [], "corgi": ["cardigan"], "dachshund": [],
        "dalmatian": [], "hound": ["afghan", "basset", "blood", "english"], "husky": [], "labrador": [], "pug": [],
        "poodle": ["medium", "miniature", "standard", "toy"], "retriever": ["chesapeake", "curly", "golden"],
        "samoyed": [], "sheepdog": ["english", "shetland"], "shiba": [],
        "terrier": ["border", "fox", "scottish", "yorkshire"],
    ]

    /// Returns the folders of a breed's pictures, such as `hound-afghan` and `hound-basset`, or `pug`.
    static func folders(of breed: String, _ sub: String? = nil) -> [String] {
        guard let subs = all[breed] else { return [] }
        if let sub { return subs.contains(sub) ? ["\(breed)-\(sub)"] : [] }
        return subs.isEmpty ? [breed] : subs.map { "\(breed)-\($0)" }
    }

    /// Returns the paths of the pictures in a folder.
    static func paths(of folder: String) -> [String] {
        let number = 2_085_000 + PortraitGenerator.hash(folder) % 30_000
        return (0..<4).map { "/breeds/\(folder)/n0\(number)_\(1003 + $0 * 271).jpg" }
    }

    /// All pictures of all breeds, in a fixed order.
    static let everyPath: [String] = all.keys.sorted().flatMap { folders(of: $0) }.flatMap { paths(of: $0) }

    /// Returns the file at a path, if it exists.
    static func file(at path: String) -> PortraitFile? {
        guard everyPath.contains(path) else { return nil }
        let size = PortraitFile.sizes[Int(PortraitGenerator.hash(path) % UInt64(PortraitFile.sizes.count))]
        return PortraitFile(Portrait(.dog, seed: path), size: size, format: .jpeg)
    }
}
