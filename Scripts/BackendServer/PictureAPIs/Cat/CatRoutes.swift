import EssentialFoundation
import LoopbackServer
import Pictures

/// The cat service: the paths and JSON of thecatapi, and its pictures.
struct CatRoutes: BackendRoutes {
    private static let maximumWithoutKey = 10
    private static let maximumWithKey = 100
    private let choices: Choices
    private let store = PortraitStore.shared
    private let rateLimit = RateLimit()

    init(seed: UInt64) { choices = Choices(seed: seed) }

    func response(to request: ServedRequest) async -> ServedResponse? {
        let segments = request.segments
        switch segments.first {
        case "images": return await store.response(for: CatImage.file(at: request.path), path: request.path)
        case "v1":
            var response = await api(request, Array(segments.dropFirst()))
            response.headers += await rateLimit.count()
            return response
        default: return nil
        }
    }

    private func api(_ request: ServedRequest, _ segments: [String]) async -> ServedResponse {
        guard request.method == "GET" || request.method == "HEAD" else {
            return failure("Method Not Allowed", status: 405)
        }
        // A key is optional, but an invalid one is an error. Keys of the real service begin with this prefix.
        let key = request.header("x-api-key") ?? request.item("api_key") ?? ""
        guard key.isEmpty || key.hasPrefix("live_") else { return unauthorized }
        switch segments {
        case ["images", "search"]: return await search(request, hasKey: !key.isEmpty)
        case ["breeds"]: return breeds(request)
        case ["breeds", "search"]: return foundBreeds(request.item("q") ?? "")
        case let rest where rest.count == 2 && rest[0] == "breeds":
            guard let breed = CatBreed.all.first(where: { $0.id == rest[1] }) else {
                return failure("INVALID_DATA", status: 400)
            }
            return .json(breed)
        case let rest where rest.count == 2 && rest[0] == "images":
            guard let image = CatImage.all.first(where: { $0.id == rest[1] }) else {
                return failure("Couldn't find an image matching the passed 'id' of \(rest[1])", status: 400)
            }
            return .json(CatEntry(image, request, showsBreeds: true))
        case let rest where ["favourites", "votes"].contains(rest.first): return unauthorized
        default: return failure("Not Found", status: 404)
        }
    }

    private func search(_ request: ServedRequest, hasKey: Bool) async -> ServedResponse {
        let breeds = request.list("breed_ids")
        let types = request.list("mime_types")
        let needsBreed = ["1", "true"].contains(request.item("has_breeds"))
        let images = CatImage.all.filter { image in
            (breeds.isEmpty || breeds.contains(image.breed?.id ?? "")) && (!needsBreed || image.breed != nil)
                && (types.isEmpty || types.contains(image.ending) || types.contains(image.format.mediaType))
        }
        let most = hasKey ? Self.maximumWithKey : Self.maximumWithoutKey
        let count = min(max(request.number("limit") ?? 1, 1), most, images.count)
        let picked = await choices.pick(count, of: images)
        return .json(picked.map { CatEntry($0, request, showsBreeds: needsBreed || !breeds.isEmpty) })
    }

    private func breeds(_ request: ServedRequest) -> ServedResponse {
        let limit = min(max(request.number("limit") ?? CatBreed.all.count, 1), CatBreed.all.count)
        let page = max(request.number("page") ?? 0, 0)
        let first = page > CatBreed.all.count ? CatBreed.all.count : page * limit
        return .json(Array(CatBreed.all.dropFirst(first).prefix(limit)))
    }

    private func foundBreeds(_ query: String) -> ServedResponse {
        let wanted = query.lowercased()
        return .json(CatBreed.all.filter { !wanted.isEmpty && $0.name.lowercased().contains(wanted) })
    }

    private var unauthorized: ServedResponse {
        failure("AUTHENTICATION_ERROR - no valid api-key sent in x-api-key", status: 401)
    }

    private func failure(_ message: String, status: Int) -> ServedResponse {
        .json(CatFailure(message: message, status: status, level: "info"), status: status)
    }
}

/// A picture as the search returns it; `breeds` is present only if breeds were requested.
private struct CatEntry: Encodable {
    var id: String
    var url: String
    var width: Int
    var height: Int
    var breeds: [CatBreed]?

    init(_ image: CatImage, _ request: ServedRequest, showsBreeds: Bool) {
        let name = request.item("size") ?? "full"
        let size = image.size(named: name)
        id = image.id
        url = request.base + image.path(sizeNamed: name)
        (width, height) = (size.width, size.height)
        breeds = showsBreeds ? image.breed.map { [$0] } ?? [] : nil
    }
}

private struct CatFailure: Encodable {
    var message: String
    var status: Int
    var level: String
}

/// The number of requests in a minute, which the cat service reports in header fields. No request is refused.
actor RateLimit {
    private static let limit = 120
    private static let window = Duration.seconds(60)
    private var windowStart = ContinuousClock.now
    private var requests = 0

    /// Counts a request and returns the header fields with the remaining number.
    func count() -> [(name: String, value: String)] {
        let now = ContinuousClock.now
        if now - windowStart >= Self.window { (windowStart, requests) = (now, 0) }
        requests += 1
        let reset = max(1, Self.window.components.seconds - (now - windowStart).components.seconds)
        return [
            ("RateLimit-Limit", "\(Self.limit)"),
            ("RateLimit-Remaining", "\(max(0, Self.limit - requests))"),
            ("RateLimit-Reset", "\(reset)"),
        ]
    }
}
