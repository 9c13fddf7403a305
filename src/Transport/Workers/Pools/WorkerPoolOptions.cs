using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>The options of a <see cref="WorkerPool"/>. Checked together and copied by <see cref="MainNode.StartPool"/>; changing it
/// later changes nothing.</summary>
public sealed class WorkerPoolOptions
{
    private int? _maxRestarts;

    /// <summary>Gets or sets how many workers there are.</summary>
    /// <value>1 to 1,024; the default is the number of processors.</value>
    public int Size { get; set; } = Math.Min(Environment.ProcessorCount, 1_024);

    /// <summary>Gets or sets a value indicating whether the workers take requests and packets one after the other, in turn.</summary>
    /// <value>The default is false: the next goes to the worker with the fewest requests of the pool that wait for a response; of several
    /// to the one with the fewest bytes queued, then to the one that has waited longest.</value>
    public bool TakesTurns { get; set; }

    /// <summary>Gets or sets which workers are replaced when they have exited.</summary>
    /// <value>The default is <see cref="WorkerRestart.Always"/>.</value>
    public WorkerRestart Restart { get; set; }

    /// <summary>Gets or sets how many requests of the pool one worker has at a time. Those beyond that wait in the pool, first come, first
    /// served.</summary>
    /// <value>1 to 65,536; the default is 1,024. 1 for work that takes a whole worker, such as a test.</value>
    public int MaxRequestsPerWorker { get; set; } = 1_024;

    /// <summary>Gets or sets after how many requests a worker is replaced: it gets no more, answers those that it has, is stopped in order,
    /// and another one takes its place. That is no restart for <see cref="MaxRestarts"/>. A pool that starts no other one, by its
    /// <see cref="Restart"/> or because it has given up, keeps the workers that it has.</summary>
    /// <value>0 to 2,147,483,647; the default is 0: never.</value>
    public int RecycleAfterRequests { get; set; }

    /// <summary>Gets or sets the bytes of memory (resident set) of a worker's process above which it is replaced, as after
    /// <see cref="RecycleAfterRequests"/>. Looked at behind each request; of the process that the pool has started, not of those that it
    /// starts in turn (<c>dotnet run</c>).</summary>
    /// <value>0 or more; the default is 0: never.</value>
    public long RecycleAboveBytes { get; set; }

    /// <summary>Gets or sets how many workers of the pool may be replaced within <see cref="RestartWindow"/>. With one more the pool gives
    /// up: it starts none any more, and those that run go on. Workers that were stopped on purpose (<see cref="WorkerProcess.StopAsync"/>,
    /// <see cref="RecycleAfterRequests"/>) do not count.</summary>
    /// <value>0 to 100,000; the default is 5 for each worker of <see cref="Size"/>, and 20 at least.</value>
    public int MaxRestarts
    {
        get => _maxRestarts ?? Math.Max(20, 5 * Size);
        set => _maxRestarts = value;
    }

    /// <summary>Gets or sets the time in which <see cref="MaxRestarts"/> are counted.</summary>
    /// <value>1 s to 1 day; the default is 1 min.</value>
    public TimeSpan RestartWindow { get; set; } = TimeSpan.FromMinutes(1);

    /// <summary>Gets or sets how long the place of an exited worker stays empty at first. Each further exit doubles it.</summary>
    /// <value>0 to 1 h; the default is 100 ms.</value>
    public TimeSpan MinBackoff { get; set; } = TimeSpan.FromMilliseconds(100);

    /// <summary>Gets or sets how long the place of an exited worker stays empty at most. A worker that has run for longer than that is
    /// replaced after <see cref="MinBackoff"/> again.</summary>
    /// <value><see cref="MinBackoff"/> to 1 h; the default is 10 s.</value>
    public TimeSpan MaxBackoff { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>Gets or sets the function that makes a connected worker ready, such as by sending its configuration. It gets requests and
    /// packets of the pool behind that.</summary>
    /// <value>The default is null: nothing. The token is cancelled when the worker exits or the pool stops, also after the function has
    /// returned. A worker for which it throws is killed.</value>
    public Func<Link, CancellationToken, Task>? OnConnected { get; set; }

    /// <summary>Gets or sets the function that hears of each worker's exit, with its exit report, before its place is filled again.
    /// </summary>
    /// <value>The default is null. The three of these functions are called on threads of the thread pool, for different workers at the
    /// same time; what one throws is only written to the event source.</value>
    public Action<WorkerExit>? OnExited { get; set; }

    /// <summary>Gets or sets the function that hears of each worker that cannot be started: the problem, in a sentence, and when it is
    /// tried again; null: the place stays empty (<see cref="Restart"/>, <see cref="MaxRestarts"/>).</summary>
    /// <value>The default is null; called as <see cref="OnExited"/>.</value>
    public Action<string, TimeSpan?>? OnStartFailed { get; set; }

    /// <summary>Gets or sets the function that is called once if the pool gives up (<see cref="MaxRestarts"/>), with its status
    /// then.</summary>
    /// <value>The default is null; called as <see cref="OnExited"/>.</value>
    public Action<WorkerPoolStatus>? OnGaveUp { get; set; }

    /// <summary>Gets or sets the clock of back-offs and the restart window.</summary>
    /// <value>The default is the system's.</value>
    public TimeProvider TimeProvider { get; set; } = TimeProvider.System;

    /// <summary>Checks every value.</summary>
    /// <returns>A copy that nobody else can change.</returns>
    /// <exception cref="ArgumentException">Values that cannot be used; the message names each with what is allowed.</exception>
    internal WorkerPoolOptions CheckedCopy()
    {
        var check = new OptionsCheck();
        check.Between(nameof(Size), Size, 1, 1_024);
        bool isRestart = Restart is WorkerRestart.Always or WorkerRestart.OnFailure or WorkerRestart.Never;
        check.Require(isRestart, nameof(Restart), Restart, "Always, OnFailure or Never");
        check.Between(nameof(MaxRequestsPerWorker), MaxRequestsPerWorker, 1, 65_536);
        check.Between(nameof(RecycleAfterRequests), RecycleAfterRequests, 0, int.MaxValue);
        check.Require(RecycleAboveBytes >= 0, nameof(RecycleAboveBytes), RecycleAboveBytes, "0 or more");
        check.Between(nameof(MaxRestarts), MaxRestarts, 0, 100_000);
        check.Between(nameof(RestartWindow), RestartWindow, TimeSpan.FromSeconds(1), TimeSpan.FromDays(1));
        check.Between(nameof(MinBackoff), MinBackoff, TimeSpan.Zero, TimeSpan.FromHours(1));
        check.Between(nameof(MaxBackoff), MaxBackoff, MinBackoff, TimeSpan.FromHours(1));
        check.Require(TimeProvider is not null, nameof(TimeProvider), null, "a time provider");
        check.ThrowIfWrong("options");
        return (WorkerPoolOptions)MemberwiseClone();
    }
}
