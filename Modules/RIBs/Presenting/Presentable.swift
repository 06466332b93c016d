/// Marks what an interactor shows its state through.
@MainActor
public protocol Presentable: AnyObject {}
