internal import EssentialFoundation

extension Window {
    /// The maximum number of bytes of a text that is sent to the terminal's clipboard; terminals ignore longer ones.
    static let clipboardLimit = 74_000

    /// Copies a text to ``clipboard``, and to the terminal's clipboard where the terminal supports it.
    ///
    /// The sequence is OSC 52 of xterm, which terminals pass on over ssh as well. A text above 74 000 bytes is copied
    /// within the application only, and in GNU screen all but a short one.
    public func copy(_ text: String) {
        clipboard = text
        guard text.utf8.count <= Window.clipboardLimit else { return }
        let payload = Data(text.utf8).base64EncodedString()
        application?.sendOutOfBand(["\u{1B}]52;c;\(payload)\u{1B}\\"])
    }
}
