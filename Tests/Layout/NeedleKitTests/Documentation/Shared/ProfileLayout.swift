import NeedleKit

#if canImport(UIKit)
    import UIKit
#elseif canImport(AppKit)
    import AppKit
#endif

@MainActor
func layOutProfile(
    in root: any Constrainable,
    picture: any Constrainable,
    name: any Constrainable,
    about: any Constrainable
) {
    picture.ndl.makeConstraints { make in
        make.top.leading.equalTo(root.ndl.safeArea).inset(2)
        make.size.equalTo(LayoutSize(width: 12, height: 6)).labeled("picture size")
    }
    name.ndl.makeConstraints { make in
        make.top.equalTo(picture)
        make.leading.equalTo(picture.ndl.trailing).offset(2)
        make.trailing.lessThanOrEqualTo(root.ndl.safeArea).inset(2)
        make.height.equalTo(1)
    }
    about.ndl.makeConstraints { make in
        make.top.equalTo(name.ndl.bottom).offset(1)
        make.leading.equalTo(name)
        make.trailing.bottom.equalTo(root.ndl.safeArea).inset(2)
    }
}

#if canImport(UIKit)
    @MainActor
    func makeProfile() -> UIView {
        let (root, picture, name, about) = (UIView(), UIView(), UIView(), UIView())
        for view in [picture, name, about] { root.addSubview(view) }
        layOutProfile(in: root, picture: picture, name: name, about: about)
        return root
    }
#elseif canImport(AppKit)
    @MainActor
    func makeProfile() -> NSView {
        let (root, picture, name, about) = (NSView(), NSView(), NSView(), NSView())
        for view in [picture, name, about] { root.addSubview(view) }
        layOutProfile(in: root, picture: picture, name: name, about: about)
        return root
    }
#endif
