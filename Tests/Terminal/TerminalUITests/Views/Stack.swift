import NeedleKit
import TerminalTesting

@testable import TerminalUI

/// A view controller with views one below the other, as wide as its view.
@MainActor
final class Stack: ViewController {
    let views: [View]
    var log: [String] = []
    let name: String

    init(_ views: [View] = [], name: String = "") {
        self.views = views
        self.name = name
        super.init()
    }

    override func viewDidLoad() {
        log.append("load")
        var above: View?
        for subview in views {
            view.addSubview(subview)
            subview.ndl.makeConstraints { make in
                make.horizontal.equalTo(view)
                make.top.equalTo(above?.ndl.bottom ?? view.ndl.top)
            }
            above = subview
        }
    }

    override func viewWillAppear() { log.append("willAppear") }
    override func viewDidAppear() { log.append("didAppear") }
    override func viewWillDisappear() { log.append("willDisappear") }
    override func viewDidDisappear() { log.append("didDisappear") }
    override func traitsDidChange(from before: Traits) { log.append("traits \(view.traits.horizontal)") }
}
