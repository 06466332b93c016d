import JSONValues

/// The recurring tasks of a file, and the tasks that taskwarrior has made of them: their instances.
struct TaskwarriorSeries {
    /// The open instances by the UUID of their series, the earliest first.
    private var instances: [String: [TaskwarriorTask]] = [:]
    /// The series of each instance that is no todo of its own.
    private var series: [UUID: UUID] = [:]
    /// The time at which this app has completed a series, and its instances with it.
    private var ends: [String: String] = [:]

    init(_ tasks: [TaskwarriorTask]) {
        for task in tasks {
            guard let uuid = task.text(.uuid) else { continue }
            if task.text(.status) == "recurring" {
                instances[uuid] = []
            } else if task.text(.ownRecurrence) == TaskwarriorFormat.noRecurrence {
                ends[uuid] = task.text(.end)
            }
        }
        guard !instances.isEmpty || !ends.isEmpty else { return }
        for task in tasks where contains(task) {
            guard let parent = task.text(.parent) else { continue }
            instances[parent]?.append(task)
            if let uuid = task.text(.uuid).flatMap(UUID.init(text:)) { series[uuid] = UUID(text: parent) }
        }
        func due(_ task: TaskwarriorTask) -> Date { task.text(.due).flatMap { Timestamp.utc($0) } ?? .distantFuture }
        for (uuid, tasks) in instances where tasks.count > 1 { instances[uuid] = tasks.sorted { due($0) < due($1) } }
    }

    private static func isOpen(_ task: TaskwarriorTask) -> Bool {
        ["pending", "waiting"].contains(task.text(.status))
    }

    /// Returns whether a task is no todo of its own, since the todo of its series stands for it.
    func contains(_ task: TaskwarriorTask) -> Bool {
        guard let parent = task.text(.parent) else { return false }
        if instances[parent] != nil, Self.isOpen(task) { return true }
        return ends[parent].map { $0 == task.text(.end) } ?? false
    }

    /// Adds its open instances to a series, and to every task the series of the instances that it depends on.
    func link(_ task: inout TaskwarriorTask) {
        linkDependencies(&task)
        guard task.text(.status) == "recurring", let uuid = task.text(.uuid), let found = instances[uuid],
            !found.isEmpty
        else { return }
        task[.ownInstances] = .array(
            found.map { instance in
                var instance = instance
                linkDependencies(&instance)
                return .object(instance.members)
            }
        )
    }

    private func linkDependencies(_ task: inout TaskwarriorTask) {
        guard !series.isEmpty, task[.depends] != nil else { return }
        let uuids = TaskwarriorFormat.dependencies(task[.depends])
        guard uuids.contains(where: { series[$0] != nil }) else { return }
        task[.ownDepends] = .array(uuids.map { .string((series[$0] ?? $0).text) })
    }
}

extension TaskwarriorTask {
    /// The attributes that the open instance of a series has for itself.
    static let ofInstance: [Attribute] = [
        .annotations, .depends, .description, .due, .priority, .project, .start, .tags, .wait, .ownDepends, .ownDue,
        .ownPriority, .ownTime, .ownWait,
    ]

    /// The open instances that are stored with a series, the earliest first.
    var instances: [TaskwarriorTask] {
        guard case .array(let values) = self[.ownInstances] else { return [] }
        return values.compactMap { value in
            if case .object(let members) = value { TaskwarriorTask(members) } else { nil }
        }
    }

    /// A series with the attributes of its earliest open instance; any other task as it is.
    var withInstance: TaskwarriorTask {
        guard let instance = instances.first else { return self }
        var task = self
        for attribute in Self.ofInstance { task[attribute] = instance[attribute] }
        return task
    }
}
