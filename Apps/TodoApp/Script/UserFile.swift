import EssentialFoundation
import SystemCalls
import TextEscaping

/// A file that the user chose for an output.
enum UserFile {
    /// Writes a file.
    ///
    /// A regular file is replaced at once, with its permissions, or not at all; the target of a symbolic link likewise. What
    /// is no regular file, such as a FIFO or a device, is opened and written to.
    static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
        let present = try status(of: path)
        let isLink = try status(of: path, followsLinks: false)?.kind == .link
        // A link to nothing makes its target.
        guard present?.kind == .regular || present == nil && !isLink else {
            let descriptor = try POSIX.open(path, present == nil ? O_WRONLY | O_CREAT : O_WRONLY, permissions: 0o666)
            defer { POSIX.close(descriptor) }
            return try POSIX.writeAll(bytes, to: descriptor)
        }
        let target = isLink ? try resolved(path) : path
        let folder = target.lastIndex(of: "/").map { String(target[...$0]) } ?? ""
        let copy = folder + ".\(UUID().uuidString).part"
        let descriptor = try POSIX.open(copy, O_WRONLY | O_CREAT | O_EXCL, permissions: 0o666)
        defer { POSIX.close(descriptor) }
        do throws(SystemError) {
            if let present, fchmod(descriptor, mode_t(present.permissions)) != 0 { throw SystemError(call: "fchmod") }
            try POSIX.writeAll(bytes, to: descriptor)
            try POSIX.synchronize(descriptor)
            try POSIX.rename(copy, to: target)
        } catch {
            try? POSIX.remove(copy)
            throw error
        }
    }

    /// Writes the output file of a command.
    static func writeOutput(_ bytes: [UInt8], to path: String) throws(ScriptFailure) {
        do throws(SystemError) { try write(bytes, to: path) } catch {
            let step = [ENOENT, ENOTDIR].contains(error.code) ? "make its folder first" : "choose another file"
            let reason = SystemError.message(of: error.code)
            throw ScriptFailure(.data, "\(path.quoted()) cannot be written: \(reason); \(step)")
        }
    }

    /// Returns the status of a file; `nil` if there is none.
    private static func status(of path: String, followsLinks: Bool = true) throws(SystemError) -> POSIX.Status? {
        do throws(SystemError) {
            return try POSIX.status(of: path, followsLinks: followsLinks)
        } catch  where error.code == ENOENT {
            return nil
        }
    }

    /// Returns the path of the file to which symbolic links lead.
    private static func resolved(_ path: String) throws(SystemError) -> String {
        guard let found = realpath(path, nil) else { throw SystemError(call: "realpath") }
        defer { free(found) }
        return String(cString: found)
    }
}
