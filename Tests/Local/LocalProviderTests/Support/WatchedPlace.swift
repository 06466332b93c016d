import Foundation
import TestSupport
import Threading

@testable import LocalProvider

/// A folder to be watched, reached through a symbolic link: `link/parent/folder`. What is taken away stays open, so that
/// the system never forgets it.
final class WatchedPlace: Sendable {
    /// How the folder at the path becomes another one.
    enum Change: CaseIterable {
        case removed, moved, replaced, parentRemoved, parentMoved, topMoved, linkReplaced
    }

    private let place: TemporaryDirectory
    private let calls = PosixFileCalls()
    private let held = Locked<[Int32]>([])
    private var link: String { place.path + "/link" }
    private var parent: String { link + "/parent" }
    /// The path that is watched.
    var folder: String { parent + "/folder" }

    init() throws {
        place = try TemporaryDirectory("way")
        try calls.makeFolder(place.path + "/top")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "top")
    }

    deinit {
        held.withLock { for descriptor in $0 { calls.close(descriptor) } }
    }

    /// Where the link points to now.
    private func top() throws -> String {
        place.path + "/" + (try FileManager.default.destinationOfSymbolicLink(atPath: link))
    }

    /// Makes the folder, with those above it.
    func make() throws {
        for path in [try top(), parent, folder] where !FileManager.default.fileExists(atPath: path) {
            try calls.makeFolder(path)
        }
    }

    /// Takes the folder away, which is there and empty.
    func takeAway(_ change: Change) throws {
        try hold()
        let name = "aside \(UUID())"
        let aside = place.path + "/" + name
        switch change {
        case .removed: try calls.remove(folder)
        case .moved: try calls.rename(folder, to: aside)
        case .replaced:
            try calls.makeFolder(aside)
            try calls.rename(aside, to: folder)
        case .parentRemoved:
            try calls.remove(folder)
            try calls.remove(parent)
        case .parentMoved: try calls.rename(parent, to: aside)
        case .topMoved: try calls.rename(try top(), to: aside)
        case .linkReplaced:
            try calls.makeFolder(aside)
            let new = place.path + "/new"
            try FileManager.default.createSymbolicLink(atPath: new, withDestinationPath: name)
            try calls.rename(new, to: link)
        }
    }

    private func hold() throws {
        for path in [link, parent, folder] {
            let descriptor = try calls.open(path, .folder)
            held.withLock { $0.append(descriptor) }
        }
    }

    /// Makes a file in the folder, and takes it away again.
    func touch(_ name: String) throws {
        calls.close(try calls.open(folder + "/" + name, .creating))
        try calls.remove(folder + "/" + name)
    }
}
