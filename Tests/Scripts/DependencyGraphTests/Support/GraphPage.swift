import Foundation
import TestSupport
import Testing

@testable import DependencyGraph

/// An html picture of a package, open in a browser.
struct GraphPage {
    /// A rectangle in the window, in pixels.
    struct Box: Decodable, Sendable, Equatable {
        var left: Double
        var top: Double
        var width: Double
        var height: Double

        var right: Double { left + width }
        var bottom: Double { top + height }
        var center: (x: Double, y: Double) { (left + width / 2, top + height / 2) }

        func isInside(_ other: Box) -> Bool {
            left >= other.left && top >= other.top && right <= other.right && bottom <= other.bottom
        }

        func overlaps(_ other: Box) -> Bool {
            left < other.right - 1 && other.left < right - 1 && top < other.bottom - 1 && other.top < bottom - 1
        }
    }

    let browser: BrowserPage
    let file: URL
    let folder: TemporaryDirectory

    /// Writes the page of a package and opens it in a state.
    init(_ package: FixturePackage, _ options: String..., fragment: String = "") async throws {
        folder = try TemporaryDirectory("page")
        file = folder.file("graph.html")
        let result = await FixturePackage.run(
            ["--format", "html", "--output", file.path] + options,
            in: package.folder.path
        )
        try #require(result.status == 0, "\(result.errors)")
        browser = try await BrowserPage()
        try await browser.open(file, fragment: fragment)
    }

    /// The names of the visible nodes; a collapsed folder has a slash.
    func nodes() async throws -> [String] { try await browser.evaluate("graph.nodes.map(node => node.id)") }

    /// The visible edges as "A B".
    func edges() async throws -> [String] {
        try await browser.evaluate(
            "[...document.querySelectorAll('#edges .edge')].map(edge => edge.dataset.from + ' ' + edge.dataset.to)"
        )
    }

    /// The box of the first element of a CSS selector.
    func box(_ selector: String) async throws -> Box {
        try await browser.evaluate(
            """
            (() => {
              const { left, top, width, height } = document.querySelector(`\(selector)`).getBoundingClientRect();
              return { left, top, width, height };
            })()
            """
        )
    }

    func node(_ name: String) async throws -> Box { try await box(".node[data-id='\(name)'] .shape") }

    func stage() async throws -> Box { try await box("#stage") }

    /// The classes of the node of a target.
    func classes(ofNode name: String) async throws -> [String] {
        try await browser.evaluate("[...document.querySelector(`.node[data-id='\(name)']`).classList]")
    }

    /// The classes of an edge.
    func classes(ofEdge from: String, _ to: String) async throws -> [String] {
        let selector = ".edge[data-from='\(from)'][data-to='\(to)']"
        return try await browser.evaluate("[...document.querySelector(`\(selector)`).classList]")
    }

    func clickNode(_ name: String, count: Int = 1) async throws {
        let center = try await node(name).center
        try await browser.click(center.x, center.y, count: count)
    }

    func click(_ selector: String) async throws {
        let center = try await box(selector).center
        try await browser.click(center.x, center.y)
    }

    func value<Value: Decodable & Sendable>(_ script: String, as type: Value.Type = Value.self) async throws -> Value {
        try await browser.evaluate(script)
    }

    /// The text of the element with an identifier.
    func text(_ id: String) async throws -> String {
        try await browser.evaluate("document.getElementById('\(id)').textContent")
    }

    /// Expects that no script failed and nothing was fetched.
    func expectNoErrors(_ location: SourceLocation = #_sourceLocation) async throws {
        #expect(try await value("window.pageErrors", as: [String].self) == [], sourceLocation: location)
        let resources = try await value("performance.getEntriesByType('resource').length", as: Int.self)
        #expect(resources == 0, sourceLocation: location)
    }

    /// The edges over a box that is not at one of their ends, to within two pixels, and the boxes over another box.
    func overlaps() async throws -> [String] {
        try await browser.evaluate(
            """
            (() => {
              const boxes = [...document.querySelectorAll("#nodes .node")].map(node =>
                ({ id: node.dataset.id, box: node.querySelector(".shape").getBBox(), place: node }));
              const world = document.getElementById("world").getScreenCTM().inverse();
              const rects = boxes.map(({ id, box, place }) => {
                const matrix = world.multiply(place.querySelector(".shape").getScreenCTM());
                return { id, left: box.x + matrix.e + 1, top: box.y + matrix.f + 1,
                  right: box.x + box.width + matrix.e - 1, bottom: box.y + box.height + matrix.f - 1 };
              });
              const found = [];
              for (const edge of document.querySelectorAll("#edges .edge")) {
                const { from, to } = edge.dataset;
                const length = edge.getTotalLength();
                const area = edge.getBBox();
                const near = rects.filter(r => r.id !== from && r.id !== to && r.left < area.x + area.width &&
                  r.right > area.x && r.top < area.y + area.height && r.bottom > area.y);
                const hit = new Set();
                // The next sample is as far as the nearest box: the edge cannot reach one before.
                for (let at = 0, step = 0; near.length && at <= length; at += Math.max(2, step)) {
                  const point = edge.getPointAtLength(at);
                  step = Infinity;
                  for (const r of near) {
                    const x = Math.max(r.left - point.x, point.x - r.right);
                    const y = Math.max(r.top - point.y, point.y - r.bottom);
                    if (x < 0 && y < 0) hit.add(r.id);
                    else step = Math.min(step, Math.hypot(Math.max(x, 0), Math.max(y, 0)));
                  }
                }
                for (const id of hit) found.push(`${from} -> ${to} over ${id}`);
              }
              rects.forEach((a, index) => rects.slice(index + 1).forEach(b => {
                if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom) {
                  found.push(`${a.id} over ${b.id}`);
                }
              }));
              return found;
            })()
            """
        )
    }

    /// The number of pairs of visible edges without a common end that cross, from samples of their paths.
    func crossings() async throws -> Int {
        try await browser.evaluate(
            """
            (() => {
              const lines = [...document.querySelectorAll("#edges .edge")].map(edge => {
                const length = edge.getTotalLength();
                const steps = Math.max(2, Math.ceil(length / 16));
                const points = [];
                for (let at = 0; at <= steps; at += 1) points.push(edge.getPointAtLength(length * at / steps));
                return { ends: [edge.dataset.from, edge.dataset.to], area: edge.getBBox(), points };
              });
              const side = (a, b, c) => Math.sign((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
              const cross = (a, b, c, d) => side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
              const meet = (one, two) => one.points.some((a, i) => i > 0 &&
                two.points.some((c, j) => j > 0 && cross(one.points[i - 1], a, two.points[j - 1], c)));
              let count = 0;
              lines.forEach((one, index) => lines.slice(index + 1).forEach(two => {
                const apart = one.area.x > two.area.x + two.area.width || two.area.x > one.area.x + one.area.width ||
                  one.area.y > two.area.y + two.area.height || two.area.y > one.area.y + one.area.height;
                if (!apart && !one.ends.some(end => two.ends.includes(end)) && meet(one, two)) count += 1;
              }));
              return count;
            })()
            """
        )
    }
}
