/// Reads the orientation in EXIF data.
///
/// The data is a TIFF file: byte order, 42, the offset of the first directory. A directory is a count and entries of
/// 12 bytes (Exif 2.32, section 4.6). Malformed data means upright.
enum EXIF {
    private static let orientationTag = 0x0112
    private static let shortType = 3

    /// Returns the orientation in a JPEG's APP1 segment or a PNG's eXIf chunk; upright by default.
    static func orientation(in bytes: [UInt8], format: PictureFormat) -> PictureOrientation {
        switch format {
        case .jpeg:
            for segment in JPEGSegments(bytes) where segment.marker == 0xE1 {
                let payload = bytes[segment.payload]
                if payload.starts(with: Array("Exif\0\0".utf8)) { return orientation(inTIFF: payload.dropFirst(6)) }
            }
            return .upright
        case .png:
            return PNGChunks(bytes).lazy.first { $0.name == Array("eXIf".utf8) }
                .map { orientation(inTIFF: bytes[$0.payload]) } ?? .upright
        case .gif:
            return .upright
        }
    }

    /// Returns the orientation in a TIFF structure.
    static func orientation(inTIFF data: ArraySlice<UInt8>) -> PictureOrientation {
        var reader = ByteReader(data)
        guard let order = reader.slice(2) else { return .upright }
        let isLittle = order.elementsEqual("II".utf8)
        guard isLittle || order.elementsEqual("MM".utf8), reader.number(bytes: 2, isLittle: isLittle) == 42,
            let start = reader.number(bytes: 4, isLittle: isLittle), start >= 8, start <= data.count
        else { return .upright }
        reader = ByteReader(data)
        guard reader.skip(start), let count = reader.number(bytes: 2, isLittle: isLittle) else { return .upright }
        for _ in 0..<count {
            guard let tag = reader.number(bytes: 2, isLittle: isLittle),
                let type = reader.number(bytes: 2, isLittle: isLittle),
                let values = reader.number(bytes: 4, isLittle: isLittle),
                let value = reader.number(bytes: 2, isLittle: isLittle), reader.skip(2)
            else { return .upright }
            if tag == orientationTag {
                guard type == shortType, values == 1 else { return .upright }
                return PictureOrientation(rawValue: value) ?? .upright
            }
        }
        return .upright
    }
}

/// The EXIF orientation of a picture: the transformation that makes the stored pixels upright.
package enum PictureOrientation: Int, Hashable, Sendable, CaseIterable {
    /// No transformation.
    case upright = 1
    /// Mirrored left to right.
    case mirrored = 2
    /// Rotated by 180 degrees.
    case halfTurn = 3
    /// Mirrored top to bottom.
    case flipped = 4
    /// Mirrored along the diagonal from the top left corner.
    case transposed = 5
    /// Needs a rotation by 90 degrees clockwise.
    case quarterClockwise = 6
    /// Mirrored along the diagonal from the top right corner.
    case transversed = 7
    /// Needs a rotation by 90 degrees anticlockwise.
    case quarterAnticlockwise = 8

    /// Whether the transformation exchanges width and height.
    package var swapsSides: Bool { rawValue >= 5 }
}

extension Picture {
    /// Returns the picture rotated and mirrored to be upright; width and height may be exchanged.
    package func oriented(_ orientation: PictureOrientation) -> Picture {
        if orientation == .upright { return self }
        let size = orientation.swapsSides ? self.size.transposed : self.size
        let pixels = [UInt8](unsafeUninitializedCapacity: self.pixels.count) { target, count in
            self.pixels.withUnsafeBufferPointer { source in
                for y in 0..<size.height {
                    for x in 0..<size.width {
                        let from = storedIndex(ofUpright: x, y, orientation) * 4
                        let to = (y * size.width + x) * 4
                        for channel in 0..<4 { target[to + channel] = source[from + channel] }
                    }
                }
            }
            count = self.pixels.count
        }
        return Picture(size: size, checkedPixels: pixels)
    }

    private func storedIndex(ofUpright x: Int, _ y: Int, _ orientation: PictureOrientation) -> Int {
        switch orientation {
        case .upright: y * width + x
        case .mirrored: y * width + (width - 1 - x)
        case .halfTurn: (height - 1 - y) * width + (width - 1 - x)
        case .flipped: (height - 1 - y) * width + x
        case .transposed: x * width + y
        case .quarterClockwise: (height - 1 - x) * width + y
        case .transversed: (height - 1 - x) * width + (width - 1 - y)
        case .quarterAnticlockwise: x * width + (width - 1 - y)
        }
    }
}
