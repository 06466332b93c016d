internal import TextEscaping

/// A grapheme cluster that is safe to write to a terminal: no control characters, a known width, a bounded length.
///
/// Text reaches the terminal only as glyphs, so untrusted text cannot move the cursor, change a mode, ring the bell or
/// reorder a line. C0 controls and DEL become their control pictures (U+241B for ESC); C1 controls, bidirectional
/// controls and noncharacters become U+FFFD; invisible format characters are dropped. A combining mark without a base
/// is placed on a no-break space, a Jamo without a syllable on its fillers.
public struct Glyph: Hashable, Sendable {
    /// The scalars to write; empty only if the width is zero.
    public let text: String
    /// The width in cells: 0 (nothing to draw), 1 or 2.
    public let width: Int

    /// The maximum number of scalars of a cluster; further scalars are dropped.
    public static let scalarLimit = 24

    /// A space.
    public static let space = Glyph(text: " ", width: 1)

    private init(text: String, width: Int) {
        self.text = text
        self.width = width
    }

    /// Creates a glyph from the text of another one.
    init(sanitized text: String, width: Int) { self.init(text: text, width: width) }

    /// Creates the glyph of a grapheme cluster.
    public init(_ character: Character) {
        if let ascii = character.asciiValue, character != "\r\n" {
            self =
                ascii >= 0x20 && ascii < 0x7F
                ? Glyph.ascii[Int(ascii) - 0x20] : Glyph(text: Glyph.picture(ascii), width: 1)
            return
        }
        let scalars = character.unicodeScalars
        // The count of the scalars is not used: a cluster may have millions of combining marks.
        if let only = scalars.first, scalars.index(after: scalars.startIndex) == scalars.endIndex {
            self = Glyph(single: only)
            return
        }
        var kept = String.UnicodeScalarView()
        for scalar in scalars.prefix(Glyph.scalarLimit) {
            switch Glyph.verdict(scalar) {
            case .keep, .join: kept.append(scalar)
            case .drop: break
            case .replace(let shown):
                self = Glyph(text: character == "\r\n" ? "\u{2424}" : String(shown), width: 1)
                return
            }
        }
        while let last = kept.last, case .join = Glyph.verdict(last) { kept.removeLast() }
        guard let first = kept.first else {
            self = Glyph(text: "", width: 0)
            return
        }
        let width = CellWidth.ofCluster(kept)
        if width == 0 || DisplayWidth.of(first) == 0 {
            self = Glyph(baseless: String(kept), first: first)
        } else {
            self = Glyph(text: String(kept), width: width)
        }
    }

    private init(single scalar: Unicode.Scalar) {
        switch Glyph.verdict(scalar) {
        case .replace(let shown): self = Glyph(text: String(shown), width: 1)
        case .drop, .join: self = Glyph(text: "", width: 0)
        case .keep:
            let width = DisplayWidth.of(scalar)
            self =
                width == 0
                ? Glyph(baseless: String(scalar), first: scalar) : Glyph(text: String(scalar), width: width)
        }
    }

    /// Places a mark without a base on a no-break space, and a Jamo without its predecessors on their fillers.
    private init(baseless text: String, first: Unicode.Scalar) {
        switch first.value {
        case 0x1160...0x11A7, 0xD7B0...0xD7C6: self = Glyph(text: "\u{115F}" + text, width: 2)
        case 0x11A8...0x11FF, 0xD7CB...0xD7FB: self = Glyph(text: "\u{115F}\u{1160}" + text, width: 2)
        default: self = Glyph(text: "\u{A0}" + text, width: 1)
        }
    }

    private static let ascii: [Glyph] = (UInt8(0x20)..<0x7F).map { Glyph(text: String(UnicodeScalar($0)), width: 1) }

    private static func picture(_ control: UInt8) -> String {
        control == 0x7F ? "\u{2421}" : String(UnicodeScalar(UInt32(0x2400) + UInt32(control)) ?? "\u{FFFD}")
    }
}

extension Glyph {
    private enum Verdict {
        case keep
        /// Allowed between two scalars but not at the end, where it would join the next cell.
        case join
        case drop
        case replace(Unicode.Scalar)
    }

    private static func verdict(_ scalar: Unicode.Scalar) -> Verdict {
        let value = scalar.value
        switch value {
        case 0x00..<0x20: return .replace(Unicode.Scalar(0x2400 + value) ?? "\u{FFFD}")
        case 0x7F: return .replace("\u{2421}")
        case 0x80..<0xA0: return .replace("\u{FFFD}")
        case 0xAD: return .replace("-")
        case 0xA0..<0x300: return .keep
        case 0x200D: return .join
        case 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x206F: return .replace("\u{FFFD}")
        case 0x2028, 0x2029: return .replace("\u{2424}")
        case 0xFFF9...0xFFFB: return .replace("\u{FFFD}")
        case 0x180E, 0x200B, 0x200C, 0x2060...0x2065, 0xFEFF: return .drop
        case 0xE0020...0xE007F: return .join
        case 0xE0000...0xE0FFF where !(0xE0100...0xE01EF).contains(value): return .drop
        case 0xFDD0...0xFDEF: return .replace("\u{FFFD}")
        default: return value & 0xFFFE == 0xFFFE ? .replace("\u{FFFD}") : .keep
        }
    }
}
