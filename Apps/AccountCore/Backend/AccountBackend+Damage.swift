package import AppLanguage
import EssentialFoundation
package import LocalProvider
import Threading

/// The damage of the accounts of the embedded backend, whose requests have no user that could read it.
extension AccountBackend {
    /// The folder of the accounts in the folder of the app's data.
    package static func embeddedLocation(in location: FileStoreLocation) -> FileStoreLocation {
        FileStoreLocation(directory: location.path + "/backend")
    }

    /// Reads the accounts in a folder, repairs them if they are damaged, and returns what is wrong with them.
    package static func damage(in location: FileStoreLocation) async -> [LocalizedText] {
        (try? await BlockingCalls.run { found(in: location) }) ?? []
    }

    private static func found(in location: FileStoreLocation) -> [LocalizedText] {
        guard FileManager.default.fileExists(atPath: location.path) else { return [] }
        let store = JSONDefaults(location: location, name: storeName)
        var damage: [LocalizedText] = []
        do throws(LocalError) {
            _ = try store.count()
        } catch {
            damage.append(
                LocalizedText("The accounts cannot be read: \(error)", ko: "계정을 읽을 수 없습니다: \(error)")
            )
        }
        let path = store.path
        if let copy = store.damagedCopy {
            damage.append(
                LocalizedText(
                    "\(path) was damaged: accounts may be missing. The damaged file is saved as \(copy); check your account, "
                        + "then delete it to dismiss this message.",
                    ko: "\(path) 파일이 손상되어 계정이 없을 수 있습니다. 손상된 파일은 \(copy)에 보관했습니다. 계정을 확인한 뒤 "
                        + "이 파일을 삭제하면 메시지가 사라집니다."
                )
            )
        }
        if store.unrepairedDamage != nil {
            damage.append(
                LocalizedText(
                    "\(path) is damaged: accounts may be missing. Make the file and its folder writable, or free some space, "
                        + "and start again.",
                    ko: "\(path) 파일이 손상되어 계정이 없을 수 있습니다. 파일과 폴더에 쓸 수 있게 하거나 공간을 확보한 뒤 다시 시작하세요."
                )
            )
        }
        return damage
    }
}
