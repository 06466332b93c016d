import CommandKit
import EssentialFoundation
import LocalProvider
import PictureCore
import TextEscaping

/// The `favourite` commands. They call the store of the favourites and the picture service, as the screens do.
struct FavouriteCommands {
    let favourites: any FavouriteStoring
    let service: any PictureServing

    /// Runs a `favourite` command.
    func run(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        switch command.verb {
        case .favouriteAdd: try await add(command)
        case .favouriteRemove: try await remove(command)
        default: result(try await stored(), command)
        }
    }

    /// Adds the picture of an address after it was fetched and decoded, or the picture that was fetched last.
    private func add(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        let reference: PictureReference
        if let url = command.operands.first {
            reference = PictureReference(url: try address(url), breed: command.value("breed"))
            _ = try await attempt { () throws(PictureFailure) in try await service.fetch(reference) }
        } else if let last = await service.last().reference {
            reference = PictureReference(url: last.url, breed: command.value("breed") ?? last.breed)
        } else {
            throw ScriptFailure(.nothingMatched, "no picture was fetched yet; run `picture` first, or name an address")
        }
        let isNew = try await attempt { () throws(FavouriteError) in try await favourites.add(reference) }
        var result = result(try await stored().filter { $0.picture.url == reference.url }, command)
        if !isNew { result.notices.append("this picture is a favourite already") }
        return result
    }

    /// Removes the favourites of the addresses. If one address is not a favourite, none is removed.
    private func remove(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        let stored = try await stored()
        var removed: [Favourite] = []
        for url in command.operands where !removed.contains(where: { $0.picture.url == url }) {
            guard let favourite = stored.first(where: { $0.picture.url == url }) else {
                throw ScriptFailure(
                    .nothingMatched,
                    "\(url.quoted(limit: 200)) is not a favourite; `favourite list` lists the addresses"
                )
            }
            removed.append(favourite)
        }
        for favourite in removed {
            let url = favourite.picture.url
            _ = try await attempt { () throws(FavouriteError) in try await favourites.remove(url: url) }
        }
        return result(removed, command)
    }

    // MARK: - Parts

    private func stored() async throws(ScriptFailure) -> [Favourite] {
        try await attempt { () throws(LocalError) in try await favourites.favourites() }
    }

    private func address(_ text: String) throws(ScriptFailure) -> String {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()),
            url.host?.isEmpty == false, url.user == nil
        else {
            throw ScriptFailure(
                .usage,
                "\(text.quoted(limit: 200)) is not the address of a picture; write https://HOST/FILE"
            )
        }
        return text
    }

    private func result(_ favourites: [Favourite], _ command: AppCommand) -> ScriptResult {
        if command.has("json") { return .json(FavouriteDocument(favourites)) }
        let lines = favourites.map { favourite in
            let url = favourite.picture.url.escapingControls(limit: 2_000)
            if command.has("quiet") { return url }
            return "\(url)  \(favourite.picture.breed?.escapingControls(limit: 80) ?? "unknown breed")"
        }
        return ScriptResult(output: lines.map { $0 + "\n" }.joined())
    }
}

/// The document of the `favourite` commands with `--json`. `favourites.schema.json` describes it.
struct FavouriteDocument: Encodable {
    /// A favourite.
    struct Item: Encodable {
        let url: String
        @OrNull var breed: String?
        let added: Date
    }

    /// The listed, added or removed favourites.
    let favourites: [Item]

    init(_ favourites: [Favourite]) {
        self.favourites = favourites.map { Item(url: $0.picture.url, breed: $0.picture.breed, added: $0.added) }
    }
}
