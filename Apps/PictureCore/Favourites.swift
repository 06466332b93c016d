package import EssentialFoundation
package import LocalProvider

/// A picture that the user has saved as a favourite.
package struct Favourite: Codable, Hashable, Identifiable, Sendable {
    /// The address and the breed.
    package let picture: PictureReference
    /// When it was saved.
    package let added: Date

    /// The address, which is unique among the favourites.
    package var id: String { picture.url }

    /// Creates a favourite.
    package init(picture: PictureReference, added: Date) { (self.picture, self.added) = (picture, added) }
}

/// A store of the favourites.
package protocol FavouriteStoring: Sendable {
    /// Returns the favourites, the newest first.
    ///
    /// - Throws: ``LocalError`` if they cannot be read.
    func favourites() async throws(LocalError) -> [Favourite]

    /// Saves a picture as a favourite.
    ///
    /// - Returns: `false` if it was one already.
    /// - Throws: ``FavouriteError``; the stored favourites are unchanged.
    func add(_ picture: PictureReference) async throws(FavouriteError) -> Bool

    /// Removes a picture from the favourites.
    ///
    /// - Parameter url: the address of the picture.
    /// - Returns: `false` if it was not one.
    /// - Throws: ``FavouriteError``; the stored favourites are unchanged.
    func remove(url: String) async throws(FavouriteError) -> Bool
}

/// The reason why the favourites were not changed.
package enum FavouriteError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The list is full.
    case full(limit: Int)
    /// The list cannot be read or written.
    case storage(LocalError)

    /// What happened, and what to do.
    package var description: String {
        switch self {
        case .full(let limit): "there are \(limit) favourites already; remove one first"
        case .storage(let error): "\(error)"
        }
    }
}

/// The favourites in the property list store of a provider. Two processes may change them at the same time.
package struct LocalFavourites: FavouriteStoring {
    /// The maximum number of favourites.
    package static let limit = 1000

    private static let key = LocalKey("favourites", of: [Favourite].self, in: .propertyList)

    private let local: LocalProvider
    private let now: @Sendable () -> Date

    /// Creates a store over a provider.
    package init(local: LocalProvider, now: @escaping @Sendable () -> Date) {
        (self.local, self.now) = (local, now)
    }

    package func favourites() async throws(LocalError) -> [Favourite] { try local.value(of: Self.key) ?? [] }

    package func add(_ picture: PictureReference) async throws(FavouriteError) -> Bool {
        let favourite = Favourite(picture: picture, added: now())
        return try change { favourites throws(FavouriteError) in
            guard !favourites.contains(where: { $0.picture.url == picture.url }) else { return false }
            guard favourites.count < Self.limit else { throw .full(limit: Self.limit) }
            favourites.insert(favourite, at: 0)
            return true
        }
    }

    package func remove(url: String) async throws(FavouriteError) -> Bool {
        try change { favourites throws(FavouriteError) in
            let count = favourites.count
            favourites.removeAll { $0.picture.url == url }
            return favourites.count < count
        }
    }

    /// Changes the list as one step for all processes.
    private func change(_ body: (inout [Favourite]) throws(FavouriteError) -> Bool) throws(FavouriteError) -> Bool {
        do {
            return try local.update(Self.key) { stored in
                var favourites = stored ?? []
                let hasChanged = try body(&favourites)
                if hasChanged { stored = favourites }
                return hasChanged
            }
        } catch let error as FavouriteError {
            throw error
        } catch let error as LocalError {
            throw .storage(error)
        } catch {
            throw .storage(.corrupt(path: Self.key.identifier, detail: "\(error)"))
        }
    }
}
