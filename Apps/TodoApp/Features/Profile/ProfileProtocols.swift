import RIBs
import TodoCore

/// What the profile tells its parent.
@MainActor
protocol ProfileListener: AnyObject {
    /// The user goes back.
    func profileDidClose()

    /// Settings were kept.
    func profileDidSave(_ settings: Settings)
}

/// What the profile's interactor asks of what shows it.
@MainActor
protocol ProfilePresentable: Presentable {
    /// Who is told of what the user does.
    var listener: (any ProfilePresentableListener)? { get set }

    /// Shows the profile as it is kept.
    func show(_ model: ProfileModel)

    /// Says why the settings were not kept; what was typed stays.
    func show(problem: String)
}

/// What a user can do with the profile.
@MainActor
protocol ProfilePresentableListener: AnyObject {
    /// The settings are to be kept as they were typed.
    func didChooseSave(name: String, breed: String)

    /// The profile is to be closed.
    func didChooseClose()
}

/// What the profile needs of its parent.
@MainActor
protocol ProfileDependency: Dependency {
    /// Where todos are kept.
    var todoStore: any TodoStoring { get }
    /// Where the settings are kept.
    var settings: any SettingsStoring { get }
    /// The folder in which everything is kept.
    var dataDirectory: String { get }
    /// How things look.
    var appearance: Appearance { get }
}
