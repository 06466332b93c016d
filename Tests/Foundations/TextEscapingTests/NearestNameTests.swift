import Testing
import TextEscaping

@Suite("Nearest name")
struct NearestNameTests {
    private let names = ["list", "add", "edit", "done", "undone", "archive", "export", "NetworkProvider"]

    @Test(
        "A mistyped word finds the name it was meant to be",
        arguments: [
            ("lsit", "list"), ("lits", "list"), ("ad", "add"), ("adn", "add"), ("arch", "archive"), ("exprt", "export"),
            ("LIST", "list"), ("networkprovider", "NetworkProvider"), ("NetworkProvidr", "NetworkProvider"),
        ]
    )
    func finds(word: String, expected: String) {
        #expect(NearestName.of(word, among: names) == expected)
    }

    @Test(
        "A word without a near name finds none",
        arguments: ["", "x", "zzzz", "picture", String(repeating: "l", count: 65)]
    )
    func findsNone(word: String) {
        #expect(NearestName.of(word, among: names) == nil)
    }

    @Test("The exact name is nearer than one that begins with it, and the first one of equally near ones is found")
    func exact() {
        #expect(NearestName.of("done", among: ["doneness", "done"]) == "done")
        #expect(NearestName.of("lost", among: ["list", "last"]) == "list")
        #expect(NearestName.of("ab", among: ["bc"]) == nil, "only neighbours are swapped")
    }
}
