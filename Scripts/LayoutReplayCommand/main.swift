import LayoutReplay

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

func put(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
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

let command = ReplayCommand { output, errors in
    put(output, to: 1)
    put(errors, to: 2)
}
exit(command.run(Array(CommandLine.arguments.dropFirst())))
