/// Marks a view controller, of any user interface toolkit, as one that routers hold and show.
@MainActor
public protocol ViewControllable: AnyObject {}
