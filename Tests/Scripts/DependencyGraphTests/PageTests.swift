import Foundation
import TestSupport
import Testing

@testable import DependencyGraph

extension BrowserTests {
    @Suite("The html page, in a real browser")
    struct PageTests {
        /// A package with folders, tests, a program, a product, a condition and an edge that a rule forbids.
        static func shop() throws -> FixturePackage {
            try FixturePackage(
                targets: """
                    .target(name: "Base", path: "Core/Base"),
                    .target(name: "Net", dependencies: ["Base"], path: "Core/Net"),
                    .target(name: "Store", dependencies: ["Base", .target(name: "Net", condition: .when(platforms: [.linux]))],
                        path: "Core/Store"),
                    .target(name: "Cart", dependencies: ["Store", "Base", .product(name: "Far", package: "far")],
                        path: "Features/Cart"),
                    .target(name: "Search", dependencies: ["Net"], path: "Features/Search"),
                    .executableTarget(name: "shop", dependencies: ["Cart", "Search"], path: "Programs/shop"),
                    .testTarget(name: "CartTests", dependencies: ["Cart"], path: "Tests/CartTests"),
                    """,
                dependencies: FixturePackage.far,
                files: [
                    "Core/Base/Base.swift": "", "Core/Net/Net.swift": "import Base\n",
                    "Core/Store/Store.swift": "import Base\n",
                    "Features/Cart/Cart.swift": "import Store\nimport Base\nimport Far\n",
                    "Features/Search/Search.swift": "import Net\n",
                    "Programs/shop/main.swift": "import Cart\nimport Search\n",
                    "Tests/CartTests/CartTests.swift": "@testable import Cart\n",
                    ".dependency-rules.json":
                        #"{"rules": [{"targets": ["Cart"], "forbid": ["Base"], "because": "the cart uses the store"}]}"#,
                ]
            )
        }

        @Test("The page fetches nothing, reports no script error and shows every target, edge, folder and kind")
        func showsEverything() async throws {
            let page = try await GraphPage(Self.shop())
            #expect(try await page.nodes() == ["Base", "Net", "Store", "Cart", "Search", "shop", "CartTests", "Far"])
            #expect(try await page.edges().count == 10)
            let folders: [String] = try await page.value(
                "[...document.querySelectorAll('.folder')].map(f => f.dataset.folder)"
            )
            #expect(folders.sorted() == ["Core", "Features", "Other packages", "Programs", "Tests"])
            let texts: [String] = try await page.value(
                "[...document.querySelectorAll('.node')].map(n => n.textContent)"
            )
            #expect(texts.contains("shopexecutable") && texts.contains("CartTeststest") && texts.contains("Farproduct"))
            let corners: [String] = try await page.value(
                "['Cart', 'shop', 'CartTests'].map(id => document.querySelector(`[data-id='${id}'] path`).getAttribute('d')"
                    + ".split(/[HL]/)[0])"
            )
            #expect(Set(corners).count == 3, "the shapes of a library, a program and a test differ: \(corners)")
            let legend = try await page.text("legend")
            for part in ["executable", "violates a rule", "on some platforms"] {
                #expect(legend.contains(part))
            }
            try await page.expectNoErrors()
        }

        @Test("Every node is within its folder's box, as large as its sources if asked, and folders do not overlap")
        func groupsByFolder() async throws {
            let page = try await GraphPage(Self.shop(), "--size", "lines")
            let heights = try await [page.node("Cart").height, page.node("shop").height, page.node("Base").height]
            #expect(heights[0] > heights[1] + 1 && heights[1] > heights[2] + 1, "3, 2 and no lines: \(heights)")
            let core = try await page.box(".folder[data-folder='Core'] > rect")
            let features = try await page.box(".folder[data-folder='Features'] > rect")
            #expect(!core.overlaps(features))
            for name in ["Base", "Net", "Store"] { #expect(try await page.node(name).isInside(core), "\(name)") }
            for name in ["Cart", "Search"] { #expect(try await page.node(name).isInside(features), "\(name)") }
            let program = try await page.node("shop")
            #expect(!program.overlaps(core) && !program.overlaps(features))
        }

        @Test(
            "Slash opens the search; typing centres the hit within the view; Enter selects it, and shows a hidden target"
        )
        func searches() async throws {
            let page = try await GraphPage(LargePackage.make(124))
            try await page.browser.press("/")
            #expect(try await page.value("document.activeElement.id") == "search")
            try await page.browser.type("CoreModule7")
            let (stage, hit) = (try await page.stage(), try await page.node("CoreModule7"))
            #expect(hit.isInside(stage))
            #expect(abs(hit.center.x - stage.center.x) < 2 && abs(hit.center.y - stage.center.y) < 2)
            #expect(hit.height > 18, "the hit is large enough to be read")
            #expect(try await page.classes(ofNode: "CoreModule7").contains("hit"))
            try await page.browser.press("Enter")
            #expect(try await page.value("state.selected") == "CoreModule7")
            #expect(try await page.classes(ofNode: "CoreModule7").contains("chosen"))

            #expect(try await !page.nodes().contains("CoreModule9Tests"))
            try await page.browser.press("Escape", "/")
            try await page.browser.type("CoreModule9Tests")
            try await page.browser.press("Enter")
            #expect(try await page.node("CoreModule9Tests").isInside(try await page.stage()))
            #expect(try await page.value("state.tests") == true)
            try await page.expectNoErrors()
        }

        @Test("Arrow keys follow the edges of the selected target, and Escape goes back step by step")
        func walks() async throws {
            let page = try await GraphPage(Self.shop())
            try await page.clickNode("Store")
            #expect(try await page.value("state.selected") == "Store")
            #expect(try await page.text("panel").contains("Cart"))
            try await page.browser.press("ArrowLeft")
            #expect(try await page.value("state.selected") == "Cart")
            try await page.browser.press("ArrowLeft")
            #expect(["shop", "CartTests"].contains(try await page.value("state.selected", as: String.self)))
            let first: String = try await page.value("state.selected")
            try await page.browser.press(first == "shop" ? "ArrowDown" : "ArrowUp")
            try await page.browser.press(first == "shop" ? "ArrowUp" : "ArrowDown")
            try await page.browser.press("ArrowRight")
            let next: String = try await page.value("state.selected")
            #expect(["Cart", "Search"].contains(next))
            try await page.browser.press("f")
            #expect(try await page.value("state.focus") == next)
            try await page.browser.press("Escape")
            #expect(try await page.value("state.selected") == "")
            #expect(try await page.value("state.focus") == next)
            try await page.browser.press("Escape")
            #expect(try await page.value("state.focus") == "")
            try await page.expectNoErrors()
        }

        @Test(
            "A click on a folder's title collapses it to one node with the edges of its targets; a double click expands it"
        )
        func collapses() async throws {
            let page = try await GraphPage(Self.shop())
            try await page.click(".folder[data-folder='Core'] .title rect")
            #expect(try await page.nodes() == ["Core/", "Cart", "Search", "shop", "CartTests", "Far"])
            #expect(try await Set(page.edges()).isSuperset(of: ["Cart Core/", "Search Core/"]))
            #expect(try await page.classes(ofNode: "Core/").contains("folded"))
            #expect(try await page.overlaps() == [])
            try await page.clickNode("Core/", count: 2)
            #expect(try await page.nodes().count == 8)
            try await page.click("#collapse")
            #expect(try await page.nodes() == ["Core/", "Features/", "Programs/", "Tests/", "Other packages/"])
            try await page.click("#expand")
            #expect(try await page.nodes().count == 8)
            try await page.expectNoErrors()
        }

        @Test("The view moves by drag and by keys, and the wheel zooms at the pointer")
        func moves() async throws {
            let page = try await GraphPage(Self.shop())
            let stage = try await page.stage()
            let before = try await page.node("Base")
            try await page.browser.drag(from: (stage.left + 8, stage.top + 8), by: (120, 60))
            let dragged = try await page.node("Base")
            #expect(abs(dragged.left - before.left - 120) < 2 && abs(dragged.top - before.top - 60) < 2)
            try await page.browser.press("ArrowRight")
            let right = try await page.node("Base")
            #expect(abs(right.left - dragged.left + 60) < 2 && abs(right.top - dragged.top) < 2)
            try await page.browser.press("ArrowDown")
            #expect(abs(try await page.node("Base").top - right.top + 60) < 2)

            let point = try await page.node("Base").center
            try await page.browser.wheel(point.x, point.y, by: -120)
            let zoomed = try await page.node("Base")
            #expect(zoomed.width > right.width * 1.15)
            #expect(abs(zoomed.center.x - point.x) < 2 && abs(zoomed.center.y - point.y) < 2)
            try await page.browser.press("-")
            #expect(try await page.node("Base").width < zoomed.width)
            try await page.browser.press("0")
            for name in try await page.nodes() { #expect(try await page.node(name).isInside(stage), "\(name)") }
            try await page.expectNoErrors()
        }

        @Test(
            "Focus shows the neighbours within a number of steps; tests, externals and implied edges are hidden on demand"
        )
        func filters() async throws {
            let page = try await GraphPage(Self.shop())
            try await page.clickNode("Store")
            try await page.click("#focus")
            #expect(try await Set(page.nodes()) == ["Store", "Base", "Net", "Cart"])
            try await page.browser.run(
                "(document.getElementById('depth').value = '2', "
                    + "document.getElementById('depth').dispatchEvent(new Event('change')))"
            )
            #expect(try await Set(page.nodes()) == ["Store", "Base", "Net", "Cart", "shop", "CartTests"])
            try await page.browser.press("Escape", "Escape")
            try await page.click("#tests")
            try await page.click("#externals")
            #expect(try await Set(page.nodes()) == ["Base", "Net", "Store", "Cart", "Search", "shop"])
            #expect(try await page.edges().contains("Store Base"))
            try await page.click("#reduce")
            #expect(try await !page.edges().contains("Store Base"), "Store reaches Base over Net")
            #expect(try await page.edges().contains("Cart Base"), "a violation of a rule is never hidden")
            try await page.expectNoErrors()
        }

        @Test(
            "The path between two targets is shown alone, with a shortest one highlighted; without one the page says so"
        )
        func showsPaths() async throws {
            let page = try await GraphPage(Self.shop(), fragment: "from=shop&to=Net")
            #expect(try await Set(page.nodes()) == ["shop", "Search", "Cart", "Store", "Net"])
            #expect(try await page.classes(ofEdge: "shop", "Search").contains("path"))
            #expect(try await page.classes(ofEdge: "Search", "Net").contains("path"))
            #expect(try await !page.classes(ofEdge: "Store", "Net").contains("path"))
            #expect(try await page.text("status").hasPrefix("2 steps"))
            // An edge that a longer path implies is a path of one step.
            try await page.browser.open(page.file, fragment: "from=Store&to=Base&reduce=1")
            #expect(try await page.edges().contains("Store Base"))
            #expect(try await page.text("status").hasPrefix("1 step from"))
            try await page.browser.open(page.file, fragment: "focus=Store&depth=1&reduce=1")
            #expect(try await page.edges().contains("Store Base"))
            try await page.browser.open(page.file, fragment: "from=Base&to=shop")
            #expect(try await page.text("status").hasPrefix("there is no path from Base to shop"))
            try await page.expectNoErrors()
        }

        @Test("An edge that violates a rule has a colour of its own, and the panel of its target has the reason")
        func marksViolations() async throws {
            let page = try await GraphPage(Self.shop())
            #expect(try await page.classes(ofEdge: "Cart", "Base").contains("violation"))
            #expect(try await !page.classes(ofEdge: "Cart", "Store").contains("violation"))
            let colors: [String] = try await page.value(
                "['Base', 'Store'].map(to => getComputedStyle(document.querySelector("
                    + "`.edge[data-from='Cart'][data-to='${to}']`)).stroke)"
            )
            #expect(colors[0] != colors[1])
            try await page.clickNode("Cart")
            #expect(try await page.text("panel").contains("the cart uses the store"))
            #expect(try await page.classes(ofEdge: "Store", "Net").contains("conditional"))
        }

        @Test("A link holds the state: what is hidden, collapsed, selected, focused and where the view is")
        func holdsItsState() async throws {
            let page = try await GraphPage(Self.shop())
            try await page.click("#tests")
            try await page.click(".folder[data-folder='Features'] .title rect")
            try await page.clickNode("Net")
            let stage = try await page.stage()
            try await page.browser.drag(from: (stage.left + 8, stage.top + 8), by: (40, 25))
            let nodes = try await page.nodes()
            let place = try await page.node("Net")
            let link: String = try await page.value(
                "new Promise(done => setTimeout(() => done(location.hash.slice(1)), 200))"
            )
            #expect(link.contains("tests=0") && link.contains("collapsed=Features") && link.contains("selected=Net"))

            try await page.browser.open(page.file, fragment: link)
            #expect(try await page.nodes() == nodes)
            #expect(try await page.value("state.selected") == "Net")
            let again = try await page.node("Net")
            #expect(abs(again.left - place.left) < 2 && abs(again.top - place.top) < 2)
            try await page.browser.open(page.file, fragment: "focus=Nobody&depth=99&view=a,b,c&selected=%00")
            #expect(try await page.nodes().count == 8)
            try await page.expectNoErrors()
        }

        @Test("Colours follow the system, light or dark, unless the page chooses")
        func followsTheSystem() async throws {
            let page = try await GraphPage(Self.shop())
            let color = "getComputedStyle(document.body).backgroundColor"
            let light: String = try await page.value(color)
            try await page.browser.prefer(scheme: "dark")
            let dark: String = try await page.value(color)
            #expect(light != dark)
            try await page.browser.open(page.file, fragment: "theme=light")
            #expect(try await page.value(color) == light)
        }

        @Test(
            "No edge is over a box, a dependent is to the left of its dependencies, and few edges cross, at 124 targets"
        )
        func keepsEdgesOffBoxes() async throws {
            let page = try await GraphPage(LargePackage.make(124))
            for state in [
                "", "tests=1&externals=1&reduce=1", "tests=1&externals=1&reduce=0", "focus=CoreModule5&depth=2",
            ] {
                if !state.isEmpty { try await page.browser.open(page.file, fragment: state) }
                let leftwards: [String] = try await page.value(
                    "graph.edges.filter(edge => layout.boxes[edge.from].x >= layout.boxes[edge.to].x)"
                        + ".map(edge => graph.nodes[edge.from].id + ' ' + graph.nodes[edge.to].id)"
                )
                #expect(leftwards == [], "\(state)")
                #expect(try await page.overlaps() == [], "\(state)")
                // Graphviz draws the first state with 584 crossings.
                if state.isEmpty { #expect(try await page.crossings() <= 584) }
                try await page.expectNoErrors()
            }
        }

        @Test("Targets on a cycle are laid out with every edge, none of them over a box")
        func drawsCycles() async throws {
            let package = try FixturePackage(
                targets: """
                    .target(name: "A", dependencies: ["B", "D"]),
                    .target(name: "B", dependencies: ["C"]),
                    .target(name: "C", dependencies: ["A"]),
                    .target(name: "D", dependencies: ["D2"]),
                    .target(name: "D2"),
                    """
            )
            let page = try await GraphPage(package, fragment: "reduce=0")
            #expect(try await Set(page.edges()) == ["A B", "B C", "C A", "A D", "D D2"])
            #expect(try await page.overlaps() == [])
            #expect(try await page.classes(ofNode: "D").contains("fault"), "its folder does not exist")
            try await page.expectNoErrors()
        }

        @Test("500 targets begin as a box for each folder; all of them are laid out, searched and moved")
        func isUsableAt500() async throws {
            let page = try await GraphPage(LargePackage.make(500))
            let first = try await page.nodes()
            #expect(5...40 ~= first.count && first.allSatisfy { $0.hasSuffix("/") }, "\(first)")
            try await page.click("#expand")
            #expect(try await page.nodes().count > 300)
            let ratio: Double = try await page.value("bounds().width / bounds().height * innerHeight / innerWidth")
            #expect(ratio < 4, "the picture is not a strip: \(ratio)")
            try await page.browser.press("/")
            try await page.browser.type("FeaturesModule100")
            #expect(try await page.node("FeaturesModule100").isInside(try await page.stage()))
            try await page.browser.press("Escape")
            let milliseconds: Double = try await page.value(
                "(async () => { const start = performance.now(); for (let i = 0; i < 20; i += 1) {"
                    + " pan(3, 3); await new Promise(requestAnimationFrame); } return (performance.now() - start) / 20; })()"
            )
            #expect(milliseconds < 1000, "a frame takes \(milliseconds) ms")
            #expect(try await page.overlaps() == [])
            try await page.expectNoErrors()
        }

        @Test(
            "A large package in one folder begins with a box for each first word of a name; its findings are marked there"
        )
        func groupsFlatPackages() async throws {
            var package = LargePackage()
            for index in 0..<160 {
                let area = ["Alpha", "Beta", "Gamma", "Delta", "Epsilon"][index % 5]
                package.add("\(area)Part\(index)", in: "Sources", index == 0 ? [] : ["AlphaPart0"])
            }
            let written = try package.write()
            try written.folder.write("import GammaPart2", to: "Sources/BetaPart1/BetaPart1.swift")
            let page = try await GraphPage(written)
            #expect(try await page.nodes() == ["Alpha/", "Beta/", "Gamma/", "Delta/", "Epsilon/"])
            #expect(try await page.classes(ofNode: "Beta/").contains("finding"))
            #expect(try await page.classes(ofEdge: "Beta/", "Gamma/").contains("undeclared"))
            #expect(try await !page.classes(ofNode: "Delta/").contains("finding"))
        }
    }
}
