import TerminalUI

extension GalleryExample {
    /// Labels: roles, wrapping, wide letters, clusters and links.
    static let text = GalleryExample("text", "Text") {
        var links = AttributedText("Links are shown by the terminal (OSC 8): ")
        links.append("the manual", link: "https://example.org/manual")
        links.append(" and ")
        links.append("the source", style: TextStyle(attributes: .bold), link: "https://example.org/source")
        let linkLabel = Label(links, numberOfLines: 0)
        linkLabel.onLink = { [weak linkLabel] in linkLabel?.accessibilityLabel = "opened \($0)" }
        return GalleryStack([
            Label("안녕하세요, a title 제목", role: .title),
            Label("한글과 English wrap at spaces: 강아지가 산책을 나갔다가 비를 맞고 돌아왔습니다.", numberOfLines: 0),
            Label("Families 👨‍👩‍👧‍👦 👩‍👩‍👧, flags 🇰🇷 🇺🇳, skin 👍🏽, marks e\u{301} n\u{303} 한"),
            Label("Control characters are harmless: \u{1B}[31m \u{7} \u{202E}abc", role: .secondary),
            Label("an error", role: .error), Label("a success", role: .success), Label("a warning", role: .warning),
            linkLabel,
        ])
    }
}
