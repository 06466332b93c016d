import Foundation

/// Every file below a folder with its bytes, to see that nothing of it has changed. Lock files hold nothing and do not
/// count.
func folderImage(_ path: String) throws -> [String: Data] {
    var image: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
        guard !name.hasSuffix(".lock"), let data = FileManager.default.contents(atPath: path + "/" + name) else {
            continue
        }
        image[name] = data
    }
    return image
}
