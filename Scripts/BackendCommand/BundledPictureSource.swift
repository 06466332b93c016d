import PictureAPIs
import Pictures

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Swift source with a small picture, which an app shows without a network.
enum BundledPictureSource {
    private static let lineLength = 100

    /// Returns the source of an `enum BundledPicture`.
    static func text(of bytes: [UInt8], _ drawing: BackendCommand.Drawing) -> String {
        var rest = Substring(Data(bytes).base64EncodedString())
        var lines: [String] = []
        while !rest.isEmpty {
            lines.append("        \(rest.prefix(lineLength))")
            rest = rest.dropFirst(lineLength)
        }
        let size = "\(drawing.size.width)x\(drawing.size.height)"
        return """
            #if canImport(FoundationEssentials)
                import FoundationEssentials
            #else
                import Foundation
            #endif

            /// The picture that is shown if no other is available; written by
            /// `Scripts/backend --draw \(drawing.animal.rawValue) FILE.swift --size \(size) --seed \(drawing.seed) --quality \(drawing.quality)`.
            enum BundledPicture {
                /// A JPEG of \(drawing.size), \(bytes.count) bytes.
                static var jpeg: [UInt8] {
                    Array(Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data())
                }

                private static let text = \"""
            \(lines.joined(separator: "\n"))
                    \"""
            }

            """
    }
}
