public import And

// Views and view controllers can be configured in the expression that makes them.
extension Responder: And {}
