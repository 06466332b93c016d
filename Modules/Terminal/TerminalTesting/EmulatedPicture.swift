public import TerminalUI

/// A picture that an emulated terminal shows.
public struct EmulatedPicture: Hashable, Sendable {
    /// The protocol of the picture.
    public let graphics: Graphics
    /// The cells that it covers.
    public fileprivate(set) var area: GridRect
    /// The data: a PNG, or sixels without the escape characters around them.
    public let data: [UInt8]
    /// The part of the picture in pixels; `nil` for the whole.
    public let source: GridRect?
    /// Whether no text was written over the picture. Pictures in kitty's protocol are above the text.
    public private(set) var isWhole = true

    /// The number in kitty's protocol.
    let image: Int
    private var overwritten: Set<GridPoint> = []

    /// A protocol for pictures.
    public enum Graphics: Hashable, Sendable {
        /// kitty's graphics protocol.
        case kitty
        /// iTerm2's inline images.
        case iterm
        /// Sixel graphics.
        case sixel
    }

    fileprivate init(_ graphics: Graphics, _ size: GridSize, _ data: [UInt8], source: GridRect? = nil, image: Int = 0) {
        area = GridRect(origin: .zero, size: size)
        (self.graphics, self.data, self.source, self.image) = (graphics, data, source, image)
    }

    /// Whether text was written over every cell.
    var isGone: Bool { overwritten.count == area.width * area.height }

    mutating func overwrite(_ other: GridRect) {
        let common = area.intersection(other)
        for y in common.minY..<common.maxY {
            for x in common.minX..<common.maxX { overwritten.insert(GridPoint(x: x, y: y)) }
        }
        if !common.isEmpty { isWhole = false }
    }
}

/// The pictures of an emulated terminal, in the protocols of kitty and iTerm2 and as sixels.
struct EmulatedGraphics: Sendable {
    /// The visible pictures, in the order in which they were shown.
    private(set) var pictures: [EmulatedPicture] = []
    /// The pictures that were sent in kitty's protocol, by their numbers.
    private var stored: [Int: [UInt8]] = [:]
    /// The beginning of a command of kitty's protocol that comes in parts.
    private var transmission: (control: [String: String], payload: [UInt8])?

    /// A command that the emulator does not support.
    struct Unsupported: Error { let text: String }

    /// Processes a control string, which begins with its introducer.
    ///
    /// - Parameters:
    ///   - text: the string; one that is not about pictures is ignored.
    ///   - cursor: the upper left cell of a picture that is shown.
    ///   - cellPixels: the size of a cell, for sixels.
    /// - Returns: the picture that it shows; `nil` if it shows none.
    /// - Throws: ``Unsupported``.
    mutating func process(
        _ text: String,
        at cursor: GridPoint,
        cellPixels: GridSize
    ) throws(Unsupported) -> EmulatedPicture? {
        var picture: EmulatedPicture?
        if text.hasPrefix("_G") {
            picture = try kitty(text.dropFirst(2))
        } else if text.hasPrefix("]1337;File=") {
            picture = try iterm(text.dropFirst(11))
        } else if text.hasPrefix("P"), text.contains("q") {
            picture = try sixels(text, cellPixels)
        }
        guard var picture else { return nil }
        picture.area.origin = cursor
        // Except in kitty's protocol, a new picture replaces those that it covers.
        if picture.graphics != .kitty { overwrite(picture.area) }
        pictures.append(picture)
        return picture
    }

    mutating func removePictures() { pictures = [] }

    /// Processes a command of kitty's graphics protocol.
    private mutating func kitty(_ text: Substring) throws(Unsupported) -> EmulatedPicture? {
        let halves = text.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
        var control = Self.control(halves[0], separator: ",")
        var payload = halves.count > 1 ? Array(halves[1].utf8) : []
        if let begun = transmission {
            payload = begun.payload + payload
            control = begun.control.merging(["m": control["m"] ?? "0"]) { $1 }
        }
        if control["m"] == "1" {
            transmission = (control, payload)
            return nil
        }
        transmission = nil
        let image = Int(control["i"] ?? "") ?? 0
        switch control["a"] ?? "t" {
        case "t": stored[image] = Base64Text.decode(payload)
        case "T":
            stored[image] = Base64Text.decode(payload)
            return try show(image, control)
        case "p": return try show(image, control)
        case "d":
            let removesAll = control["d"] == "A" || control["d"] == "a"
            pictures.removeAll { $0.graphics == .kitty && (removesAll || $0.image == image) }
            if control["d"] == "I" { stored[image] = nil }
            if control["d"] == "A" { stored = [:] }
        case "q": break
        default: throw Unsupported(text: "kitty graphics \(control)")
        }
        return nil
    }

    private mutating func show(_ image: Int, _ control: [String: String]) throws(Unsupported) -> EmulatedPicture {
        guard let data = stored[image], let columns = control["c"].flatMap({ Int($0) }),
            let rows = control["r"].flatMap({ Int($0) })
        else { throw Unsupported(text: "kitty graphics \(control)") }
        pictures.removeAll { $0.graphics == .kitty && $0.image == image }
        let source = ["x", "y", "w", "h"].compactMap { control[$0].flatMap { Int($0) } }
        return EmulatedPicture(
            .kitty,
            GridSize(width: columns, height: rows),
            data,
            source: source.count == 4 ? GridRect(x: source[0], y: source[1], width: source[2], height: source[3]) : nil,
            image: image
        )
    }

    private func iterm(_ text: Substring) throws(Unsupported) -> EmulatedPicture {
        let halves = text.split(separator: ":", maxSplits: 1)
        let control = Self.control(halves[0], separator: ";")
        guard halves.count == 2, let columns = control["width"].flatMap({ Int($0) }),
            let rows = control["height"].flatMap({ Int($0) })
        else { throw Unsupported(text: "iTerm2 image \(control)") }
        let data = Base64Text.decode(Array(halves[1].utf8))
        return EmulatedPicture(.iterm, GridSize(width: columns, height: rows), data)
    }

    private func sixels(_ text: String, _ cell: GridSize) throws(Unsupported) -> EmulatedPicture {
        let body = text.drop { $0 != "q" }.dropFirst()
        let raster = body.dropFirst().prefix { $0 == ";" || $0.isNumber }.split(separator: ";").compactMap { Int($0) }
        guard body.first == "\"", raster.count == 4, cell.width > 0, cell.height > 0 else {
            throw Unsupported(text: "sixels without a size")
        }
        let size = GridSize(
            width: (raster[2] + cell.width - 1) / cell.width,
            height: (raster[3] + cell.height - 1) / cell.height
        )
        return EmulatedPicture(.sixel, size, Array(text.utf8))
    }

    /// Text erases the part of a picture below it, except in kitty's protocol.
    mutating func overwrite(_ area: GridRect) {
        guard !pictures.isEmpty else { return }
        for index in pictures.indices
        where pictures[index].graphics != .kitty && !pictures[index].area.intersection(area).isEmpty {
            pictures[index].overwrite(area)
        }
        pictures.removeAll { $0.graphics != .kitty && $0.isGone }
    }

    private static func control(_ text: Substring, separator: Character) -> [String: String] {
        var control: [String: String] = [:]
        for pair in text.split(separator: separator) {
            let parts = pair.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { control[String(parts[0])] = String(parts[1]) }
        }
        return control
    }
}

/// Base64 (RFC 4648), decoded without Foundation.
enum Base64Text {
    static func decode(_ text: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var bits: UInt32 = 0
        var count = 0
        for byte in text {
            let value: UInt8
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = byte - UInt8(ascii: "A")
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = byte - UInt8(ascii: "a") + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte - UInt8(ascii: "0") + 52
            case UInt8(ascii: "+"): value = 62
            case UInt8(ascii: "/"): value = 63
            default: continue
            }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return bytes
    }
}
