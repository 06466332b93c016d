import And
import Testing

@Suite("Configuring references")
struct ReferenceTests {
    final class Label: And {
        var text = ""
        var isBold = false
    }

    enum Failure: Error { case refused }

    @Test("and configures the object and returns the same one")
    func configuresAndReturnsTheSame() {
        let title = Label().and {
            $0.text = "PRESS START"
            $0.isBold = true
        }
        #expect(title.text == "PRESS START")
        #expect(title.isBold)
        #expect(title.and { $0.text = "AGAIN" } === title)
        #expect(title.text == "AGAIN")
    }

    @Test("and runs its block exactly once")
    func runsOnce() {
        var runs = 0
        Label().and { _ in runs += 1 }
        #expect(runs == 1)
    }

    @Test("and throws the block's error with its type; properties set before it stay set")
    func throwsTyped() {
        let label = Label()
        do throws(Failure) {
            try label.and { (label) throws(Failure) in
                label.text = "half"
                throw Failure.refused
            }
            Issue.record("The error was lost")
        } catch {
            #expect(error == .refused)
        }
        #expect(label.text == "half")
    }

    @Test("and works on a subclass and returns the subclass")
    func keepsTheStaticType() {
        class Base: And { var width = 0 }
        final class Derived: Base { var height = 0 }
        let derived: Derived = Derived().and {
            $0.width = 1
            $0.height = 2
        }
        #expect((derived.width, derived.height) == (1, 2))
    }

    @Test("The async form of and may suspend and returns the same object")
    func configuresAcrossASuspension() async {
        let label = Label()
        let same = await label.and {
            await Task.yield()
            $0.text = "later"
        }
        #expect(same === label)
        #expect(label.text == "later")
    }

    @Test("The async form of and stays on the caller's actor")
    @MainActor
    func staysOnTheCallersActor() async {
        let label = await Label().and {
            await Task.yield()
            MainActor.assertIsolated()
            $0.text = "main"
        }
        #expect(label.text == "main")
    }

    @Test("The async form of and throws the block's error with its type")
    func throwsTypedAcrossASuspension() async {
        do throws(Failure) {
            try await Label().and { (_) async throws(Failure) in
                await Task.yield()
                throw Failure.refused
            }
            Issue.record("The error was lost")
        } catch {
            #expect(error == .refused)
        }
    }

    @Test("A block that cannot throw needs no try, in an async context too")
    func needsNoTry() async {
        let label = Label().and { $0.text = "plain" }
        await Task.yield()
        #expect(label.text == "plain")
    }
}
