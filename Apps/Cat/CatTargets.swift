import PictureCore

/// A picture as thecatapi describes it; all but its name and address may be missing.
struct CatPicture: Decodable, Sendable {
    let id: String
    let url: String
    let breeds: [CatBreed]?
}

/// A breed as thecatapi describes it.
struct CatBreed: Decodable, Sendable {
    let id: String
    let name: String
}

/// A picture at random, of any breed or of one.
struct CatSearch: PictureTarget {
    typealias Response = [CatPicture]

    let base: String
    /// The id of a breed, such as `beng`; `nil` for any.
    let breed: String?

    var path: String { "/v1/images/search" }

    /// Only formats that can be decoded are asked for.
    var parameters: QueryParameters? {
        var parameters: QueryParameters = ["mime_types": "jpg,png"]
        if let breed { parameters.append("breed_ids", .text(breed)) }
        return parameters
    }
}

/// All breeds.
struct CatBreeds: PictureTarget {
    typealias Response = [CatBreed]

    let base: String

    var path: String { "/v1/breeds" }
}
