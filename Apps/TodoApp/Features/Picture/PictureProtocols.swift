import RIBs

/// What the picture's interactor asks of what shows it.
@MainActor
protocol PicturePresentable: Presentable {
    /// Who is told of what the user does.
    var listener: (any PicturePresentableListener)? { get set }

    /// Shows the picture as it is now.
    func show(_ model: PictureModel)
}

/// What a user can do with the picture.
@MainActor
protocol PicturePresentableListener: AnyObject {
    /// Another picture is wanted.
    func didChooseNext()
}

/// What the picture needs of its parent.
@MainActor
protocol PictureDependency: Dependency {
    /// Where pictures come from.
    var pictureService: any PictureServing { get }
    /// The breed that the user likes best, read anew for each picture.
    var settings: any SettingsStoring { get }
    /// How things look.
    var appearance: Appearance { get }
}

/// The picture's router, as its parent sees it.
@MainActor
protocol PictureRouting: ViewableRouting {
    /// Fetches another picture.
    func showNext()
}
