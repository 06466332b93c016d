import Foundation
package import LocalProvider
package import PictureCore

/// Favourites in memory.
@MainActor
package final class FakeFavourites: FavouriteStoring {
    /// The favourites, the newest first.
    package var list: [Favourite] = []
    /// The error that changes throw.
    package var failure: FavouriteError?

    package init(_ pictures: PictureReference...) {
        list = pictures.map { Favourite(picture: $0, added: .sample) }
    }

    /// Adds favourites of different breeds.
    package func add(_ count: Int) {
        for number in 0..<count {
            let picture = PictureReference(
                url: "https://pictures.test/\(number).jpg",
                breed: ["Pug", "Beagle"][number % 2]
            )
            list.append(Favourite(picture: picture, added: .sample))
        }
    }

    package func favourites() async throws(LocalError) -> [Favourite] { list }

    package func add(_ picture: PictureReference) async throws(FavouriteError) -> Bool {
        if let failure { throw failure }
        guard !list.contains(where: { $0.picture.url == picture.url }) else { return false }
        list.insert(Favourite(picture: picture, added: .sample), at: 0)
        return true
    }

    package func remove(url: String) async throws(FavouriteError) -> Bool {
        if let failure { throw failure }
        let count = list.count
        list.removeAll { $0.picture.url == url }
        return list.count < count
    }
}
