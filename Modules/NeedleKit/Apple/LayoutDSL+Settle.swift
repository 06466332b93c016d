#if canImport(UIKit) && !os(watchOS)
    internal import UIKit
#elseif canImport(AppKit)
    internal import AppKit
#endif

#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit)
    extension LayoutDSL {
        /// Puts constraints into force that waited for their items to be in one view hierarchy, on this view and all below.
        ///
        /// Constraints may be stated before a view has a superview. They wait, and come into force with this call or with
        /// the next change of one of them; so do those that the system took out because a view left its superview.
        ///
        /// - Returns: what is wrong: constraints that were refused since the last call, and those that still wait.
        @discardableResult
        public func settle() -> [LayoutDiagnostic] {
            guard let view = item as? PlatformView else { return [] }
            var found: [LayoutDiagnostic] = []
            var views = [view]
            while let next = views.popLast() {
                views += next.subviews.reversed()
                guard let layout = AppleLayout.existing(of: next) else { continue }
                layout.settle()
                found += layout.takeDiagnostics()
            }
            return found
        }
    }
#endif
