import AppLanguage
import EssentialFoundation
import TodoCore
import TodoSync

/// The removal of the todos from this machine when a session ends. The server's todos stay.
struct TodoRemoval: Sendable {
    let store: any TodoStoring
    let sync: any SyncServing

    /// Returns what the user should know before the decision; `nil` without todos.
    func question() async -> LocalizedText? {
        guard let todos = try? await store.todos(), !todos.isEmpty else { return nil }
        let state = await sync.refresh()
        let lists = Set(state.account?.lists ?? [])
        let waiting = Set(state.waiting.map(\.uuid))
        let unsent = todos.count { todo in
            !lists.contains(todo.list ?? "") || todo.uuid.map(waiting.contains) ?? true
        }
        return HomeText.logOut(todos.count, unsent: unsent, server: state.account?.address)
    }

    /// Ends the sync, so that no deletion is sent, and removes the todos; otherwise returns why they could not be removed.
    func perform() async -> String? {
        do throws(SyncError) { try await sync.remove() } catch { return "\(error)" }
        do throws(TodoError) { try await store.erase() } catch { return "\(error)" }
        return nil
    }
}
