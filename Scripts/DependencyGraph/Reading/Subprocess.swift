import SystemCalls

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Runs programs and waits for their end.
struct Subprocess {
    /// The exit status and the output of a program.
    struct Outcome {
        var status: Int32
        var output: [UInt8]
        var errors: [UInt8]

        var text: String { String(decoding: output, as: UTF8.self) }
        var errorText: String { String(decoding: errors, as: UTF8.self) }
    }

    /// Runs the program `arguments[0]`, which is searched in PATH.
    ///
    /// Its output goes to files rather than pipes, so that it never blocks.
    ///
    /// - Throws: ``GraphError`` if there is no such program, or if it cannot be started.
    static func run(_ arguments: [String], install: String) throws -> Outcome {
        let folder = FileManager.default.temporaryDirectory.path + "/dependency-graph-\(UUID().uuidString)"
        do throws(SystemError) {
            try POSIX.makeFolder(folder)
        } catch {
            throw GraphError.file(
                path: folder,
                message: "the folder cannot be created (\(error)); TMPDIR names another place"
            )
        }
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (outputPath, errorPath) = (folder + "/output", folder + "/errors")

        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, outputPath, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errorPath, O_WRONLY | O_CREAT | O_TRUNC, 0o600)

        var pointers = arguments.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var process = pid_t()
        switch posix_spawnp(&process, arguments[0], &actions, nil, &pointers, environ) {
        case 0: break
        case ENOENT: throw GraphError.missingProgram(name: arguments[0], install: install)
        case let code:
            let error = SystemError(code: code, call: "posix_spawn")
            throw GraphError.failed(program: arguments[0], message: "it cannot be started (\(error))")
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1, errno == EINTR {}
        return Outcome(
            status: status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f),
            output: try bytes(of: outputPath),
            errors: try bytes(of: errorPath)
        )
    }

    private static func bytes(of path: String) throws -> [UInt8] {
        do throws(SystemError) {
            return try POSIX.contents(of: path)
        } catch {
            throw GraphError.file(path: path, message: "the output of a program cannot be read (\(error))")
        }
    }
}
