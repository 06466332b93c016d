import DependencyGraph

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

func put(_ bytes: [UInt8], to descriptor: Int32) {
    var written = 0
    bytes.withUnsafeBytes { buffer in
        while written < buffer.count {
            let count = write(descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            written += count
        }
    }
}

let home = getenv("PAWKIT_ROOT").map { String(cString: $0) } ?? "."
let result = GraphCommand(defaultPackage: home).run(Array(CommandLine.arguments.dropFirst()))
put(result.output, to: 1)
put(Array(result.errors.utf8), to: 2)
exit(result.status)
