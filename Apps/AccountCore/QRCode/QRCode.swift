import SystemCalls

/// A QR code of a text, by libqrencode.
///
/// The library is loaded when it is needed: without it there is no QR code, and everything else works.
package struct QRCode: Hashable, Sendable {
    /// The light border that the standard requires, in modules.
    package static let quietZone = 4

    /// The number of modules of a side, without the quiet zone.
    package let size: Int
    private let modules: [Bool]

    /// Creates the code of a text with error correction of level L; `nil` if libqrencode is not installed, or the text does
    /// not fit.
    ///
    /// - Parameters:
    ///   - text: the text; without NUL.
    ///   - libraries: the names of the library, in the order in which they are tried.
    package init?(_ text: String, libraries: [String] = QRCode.libraries) {
        guard !text.isEmpty, !text.utf8.contains(0), let encoder = QREncoder(libraries) else { return nil }
        defer { encoder.close() }
        guard let (size, modules) = encoder.encode(text) else { return nil }
        (self.size, self.modules) = (size, modules)
    }

    /// The names of libqrencode 4.
    package static var libraries: [String] {
        #if os(Linux)
            ["libqrencode.so.4"]
        #else
            ["libqrencode.4.dylib", "/opt/homebrew/lib/libqrencode.4.dylib", "/usr/local/lib/libqrencode.4.dylib"]
        #endif
    }

    /// Returns whether a module is dark; everything outside the code is light.
    package func isDark(_ x: Int, _ y: Int) -> Bool {
        (0..<size).contains(x) && (0..<size).contains(y) && modules[y * size + x]
    }

    /// Returns the code with its quiet zone as lines of half blocks, two modules in a cell.
    ///
    /// Dark modules must look dark: on a light terminal the dark ones are drawn, on a dark one the light ones.
    ///
    /// - Parameter onDark: whether the terminal has a dark background.
    /// - Returns: the lines; each has ``size`` plus twice ``quietZone`` cells.
    package func lines(onDark: Bool = true) -> [String] {
        let range = -Self.quietZone..<size + Self.quietZone
        return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { y in
            String(
                range.map { x -> Character in
                    switch (isDark(x, y) != onDark, isDark(x, y + 1) != onDark) {
                    case (true, true): "█"
                    case (true, false): "▀"
                    case (false, true): "▄"
                    case (false, false): " "
                    }
                }
            )
        }
    }
}

/// The functions of libqrencode, which is loaded at run time.
private struct QREncoder {
    private typealias Encode = @convention(c) (UnsafePointer<CChar>, Int32, Int32) -> UnsafeMutableRawPointer?
    private typealias Free = @convention(c) (UnsafeMutableRawPointer) -> Void

    private let handle: UnsafeMutableRawPointer
    private let encode: Encode
    private let free: Free

    init?(_ names: [String]) {
        for name in names {
            guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { continue }
            guard let encode = dlsym(handle, "QRcode_encodeString8bit"), let free = dlsym(handle, "QRcode_free") else {
                dlclose(handle)
                continue
            }
            self.handle = handle
            self.encode = unsafeBitCast(encode, to: Encode.self)
            self.free = unsafeBitCast(free, to: Free.self)
            return
        }
        return nil
    }

    func close() { dlclose(handle) }

    /// Returns the modules in rows: `QRcode` is a structure of the version, the width, and a byte for each module, whose lowest
    /// bit is set for a dark one.
    func encode(_ text: String) -> (Int, [Bool])? {
        guard let code = text.withCString({ encode($0, 0, 0) }) else { return nil }
        defer { free(code) }
        let size = Int(code.load(fromByteOffset: MemoryLayout<Int32>.size, as: Int32.self))
        let offset = 2 * MemoryLayout<Int32>.size
        guard (21...177).contains(size),
            let data = code.load(fromByteOffset: offset, as: UnsafePointer<UInt8>?.self)
        else { return nil }
        return (size, (0..<size * size).map { data[$0] & 1 == 1 })
    }
}
