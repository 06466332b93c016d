import And
import TestSupport
import Testing

@Suite("And's documentation")
struct AndDocumentationTests {
    @Test("The examples of the landing page compile and run")
    func examples() {
        final class Label: And {
            var text = ""
            var isBold = false
        }

        let title = Label().and {
            $0.text = "PRESS START"
            $0.isBold = true
        }
        #expect(title.text == "PRESS START" && title.isBold)

        struct Insets: And {
            var left = 0
            var right = 0
        }

        let insets = Insets(left: 1, right: 1)
        let wide = insets.with { $0.left = 4 }
        #expect((insets.left, wide.left, wide.right) == (1, 4, 1))
    }

    @Test("Every example of the documentation is in this target")
    func completeness() throws {
        #expect(try DocumentedExamples(of: "And", count: 2).missing == [])
    }
}
