import PictureAPIs
import Pictures

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The command line of the backend.
enum BackendCommand {
    /// What to do.
    enum Action {
        case help
        case serve(port: UInt16, fault: FaultRule?)
        case draw(Drawing)
    }

    /// A portrait to write into a file.
    struct Drawing {
        var animal: Portrait.Animal
        var path: String
        var size = PixelSize(width: 240, height: 180)
        var seed = "1"
        var quality = 80
    }

    static let help = """
        Serves the picture services of both flavours on a loopback port, without a network.

        usage: backend [--port N] [--fault RULE]
               backend --draw dog|cat FILE [--size WIDTHxHEIGHT] [--seed TEXT] [--quality 1...100]

          --port N       listens on this port; a free one is taken otherwise
          --fault RULE   answers wrongly: \(PictureFault.allCases.map(\.rawValue).joined(separator: ", "))
                         for everything, or with api- or picture- before it for these alone
          --draw         writes a portrait to FILE and ends: a .png or .jpg, or a .swift that holds the JPEG as text

        It prints its address and serves until it is interrupted. A single request is answered wrongly with ?fault=RULE,
        and all under a base address with /fault/RULE at its end.

        """

    static func parse(_ arguments: [String]) throws -> Action {
        var rest = arguments[...]
        var port: UInt16 = 0
        var fault: FaultRule?
        var drawing: Drawing?
        while let option = rest.popFirst() {
            if ["--help", "-h"].contains(option) { return .help }
            guard ["--port", "--fault", "--draw", "--size", "--seed", "--quality"].contains(option) else {
                throw BackendUsageError(description: "there is no \(option); try --help")
            }
            guard let value = rest.popFirst() else { throw BackendUsageError(description: "\(option) needs a value") }
            switch option {
            case "--port":
                guard let number = UInt16(value) else {
                    throw BackendUsageError(description: "\(value) is no port; give a number from 0 to 65535")
                }
                port = number
            case "--fault":
                guard let rule = FaultRule(value) else {
                    let names = PictureFault.allCases.map(\.rawValue).joined(separator: ", ")
                    throw BackendUsageError(description: "there is no fault \(value); the faults are \(names)")
                }
                fault = rule
            case "--draw":
                guard let animal = Portrait.Animal(rawValue: value), let path = rest.popFirst() else {
                    throw BackendUsageError(description: "--draw needs dog or cat, and a file")
                }
                drawing = Drawing(animal: animal, path: path)
            default: try change(&drawing, option, value)
            }
        }
        return drawing.map(Action.draw) ?? .serve(port: port, fault: fault)
    }

    private static func change(_ drawing: inout Drawing?, _ option: String, _ value: String) throws {
        guard drawing != nil else { throw BackendUsageError(description: "\(option) stands after --draw") }
        switch option {
        case "--seed": drawing?.seed = value
        case "--quality":
            guard let quality = Int(value), 1...100 ~= quality else {
                throw BackendUsageError(description: "\(value) is no quality; give a number from 1 to 100")
            }
            drawing?.quality = quality
        default:
            let sides = value.split(separator: "x").compactMap { Int($0) }
            guard sides.count == 2, sides.allSatisfy({ 1...4096 ~= $0 }) else {
                throw BackendUsageError(description: "\(value) is no size; give it as 240x180, at most 4096 a side")
            }
            drawing?.size = PixelSize(width: sides[0], height: sides[1])
        }
    }

    /// Serves until `wait` returns.
    static func serve(port: UInt16, fault: FaultRule?, until wait: () -> Void) throws {
        let server = try PictureAPIServer(port: port, fault: fault)
        write(server.baseURL + "\n", to: STDOUT_FILENO)
        wait()
        server.stop()
    }

    /// Draws a portrait into a file.
    static func draw(_ drawing: Drawing) throws {
        let format: PictureFormat = drawing.path.hasSuffix(".png") ? .png : .jpeg
        let portrait = Portrait(drawing.animal, seed: drawing.seed)
        var bytes = try PortraitFile(portrait, size: drawing.size, format: format).encoded(quality: drawing.quality)
        if drawing.path.hasSuffix(".swift") { bytes = Array(BundledPictureSource.text(of: bytes, drawing).utf8) }
        let descriptor = open(drawing.path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        guard descriptor >= 0 else {
            throw BackendUsageError(
                description: "\(drawing.path) cannot be written: \(String(cString: strerror(errno)))"
            )
        }
        defer { close(descriptor) }
        guard write(bytes, to: descriptor) else {
            throw BackendUsageError(
                description: "\(drawing.path) cannot be written: \(String(cString: strerror(errno)))"
            )
        }
    }

    /// Writes a text at once, unbuffered: who waits for the address on a pipe must get it.
    static func write(_ text: String, to descriptor: Int32) {
        write(Array(text.utf8), to: descriptor)
    }

    @discardableResult
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

/// The system's `write`, which the command's own would hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
