using System;

namespace Transport;

/// <summary>What to start as a worker: a program, its handlers at the main node, its name. Copied at the start; changing it later changes
/// nothing, and it may start any number of workers.</summary>
public sealed class WorkerStartOptions : ProcessStartOptions
{
    private PacketRouter _router = new();

    /// <summary>Initializes a new instance of the <see cref="WorkerStartOptions"/> class.</summary>
    /// <param name="fileName">See <see cref="ProcessStartOptions.FileName"/>.</param>
    /// <param name="arguments">See <see cref="ProcessStartOptions.Arguments"/>.</param>
    public WorkerStartOptions(string fileName, params string[] arguments)
        : base(fileName, arguments)
    {
    }

    /// <summary>Makes the options for the worker that is built beside this program: <c>workers/NAME/NAME</c>, where a project reference
    /// with <c>TransportWorker="true"</c> puts it.</summary>
    /// <param name="name">The program's name, without an extension.</param>
    /// <param name="arguments">See <see cref="ProcessStartOptions.Arguments"/>.</param>
    /// <returns>The options.</returns>
    /// <exception cref="ArgumentException"><paramref name="name"/> is empty or holds a directory.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="arguments"/> is null.</exception>
    /// <exception cref="TransportException"><see cref="TransportFault.StartFailed"/>, code <c>not-found</c>: there is no such program; the
    /// message says where it was expected.</exception>
    public static WorkerStartOptions ForProject(string name, params string[] arguments) =>
        new(WorkerPrograms.Find(AppContext.BaseDirectory, name), arguments);

    /// <summary>Makes the options for another process of this program as a worker, whichever way this one was started: by itself, as
    /// <c>dotnet App.dll</c>, or by Mono.</summary>
    /// <param name="arguments">See <see cref="ProcessStartOptions.Arguments"/>.</param>
    /// <returns>The options.</returns>
    /// <exception cref="InvalidOperationException">The system does not report where this program stands.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="arguments"/> is null.</exception>
    public static new WorkerStartOptions ForThisProgram(params string[] arguments)
    {
        (string file, string[] all) = ThisProgram.Again(ArgumentGuard.NotNull(arguments, nameof(arguments)));
        return new WorkerStartOptions(file, all);
    }

    /// <summary>Gets or sets the worker's name in reports, logs and <see cref="PacketContext.Node"/>.</summary>
    /// <value>1 to 64 characters of A-Z a-z 0-9 . _ -; the default is null: n1, n2, … (<see cref="MainNodeOptions.NodePrefix"/>).</value>
    public string? Node { get; set; }

    /// <summary>Gets or sets the handlers of the worker's packets, and its loops. The first start freezes them; handlers that serve several
    /// workers run at the same time, and <see cref="PacketContext.Node"/> says for which.</summary>
    /// <value>The default is an empty router.</value>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public PacketRouter Router
    {
        get => _router;
        set => _router = value ?? throw new ArgumentNullException(nameof(value));
    }

    /// <summary>Checks every value.</summary>
    /// <returns>A copy that nobody else can change, but for the router.</returns>
    /// <exception cref="ArgumentException">Something cannot be handed to a program, or be a name; the message names all of it.</exception>
    internal new WorkerStartOptions CheckedCopy()
    {
        if (Node is not null)
        {
            NodeName.Check(Node, nameof(Node));
        }

        return (WorkerStartOptions)base.CheckedCopy();
    }
}
