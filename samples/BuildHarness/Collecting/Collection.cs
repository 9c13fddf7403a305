using System;
using System.Buffers;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using BuildHarness.Packets;
using BuildHarness.Summary;
using Transport;
using Transport.Files;
using Transport.MSBuild;

namespace BuildHarness.Collecting;

/// <summary>
/// <c>build --collect-outputs</c> at the main node: one thread takes what all workers send, checks it, and hands it to a
/// <see cref="FileOutput"/>; at the end all of it appears in one step, or nothing does. Receive loops only queue. What may wait is what was
/// granted: <see cref="CollectWindow.Of"/> a worker, besides the writers' own budget.
/// </summary>
internal sealed class Collection : IAsyncDisposable
{
    private const long WritersBudget = 2 << 20;
    private readonly ArrivalQueue _arrivals = new();
    private readonly ConcurrentDictionary<string, NodeOutputs> _nodes = new(StringComparer.Ordinal);
    private readonly Dictionary<int, CollectedProject> _collected = [];
    private readonly CollectionTarget _target;
    private readonly FileOutput _output;
    private readonly string _given;
    private readonly int _window;
    private readonly Action<HarnessException> _failed;
    private readonly Task _collector;
    private CollectionPlan? _plan;
    private HarnessException? _failure;
    private int _turns;

    private Collection(string given, CollectionTarget target, FileOutput output, int workers, Action<HarnessException> failed)
    {
        _given = given;
        _target = target;
        _output = output;
        _window = CollectWindow.Of(workers);
        _failed = failed;
        _collector = Task.Factory.StartNew(Collect, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
    }

    /// <summary>Gets the memory for bytes that wait: as many blocks as windows can fill.</summary>
    public ArrayPool<byte> Blocks { get; } = ArrayPool<byte>.Create(64 << 10, 256);

    /// <summary>Gets what is to be reported besides, or null.</summary>
    public string? Remark => _target.Remark;

    /// <summary>Looks at the place and begins.</summary>
    /// <param name="directory">Where.</param>
    /// <param name="workers">How many workers there will be at once.</param>
    /// <param name="failed">Called once, from any thread, when nothing can be collected any more.</param>
    /// <param name="refused">Called with what the summary is to say, if this throws; null: nobody.</param>
    /// <exception cref="HarnessException">Nothing can be published there.</exception>
    public static Collection Open(string directory, int workers, Action<HarnessException> failed, Action<CollectionSummary>? refused = null)
    {
        CollectionTarget? target = null;
        try
        {
            target = CollectionTarget.Open(directory);
            return new Collection(directory, target, FileOutput.Into(target.Incoming, new FileOutputOptions
            {
                MemoryBudget = WritersBudget, Baseline = target.Earlier,
            }), workers, failed);
        }
        catch (Exception e) when (e is TransportException or HarnessException)
        {
            target?.Dispose();
            HarnessException fault = e as HarnessException ?? CollectionTarget.Fault(directory, e.Message);
            refused?.Invoke(new CollectionSummary(Path.GetFullPath(directory), [], fault.Message));
            throw fault;
        }
    }

    /// <summary>Gets a worker's end, which is made at the first call.</summary>
    public NodeOutputs Of(string node) => _nodes.GetOrAdd(node, name => new NodeOutputs(this, name, _window));

    /// <summary>Reports what was built; before <see cref="Begin"/>.</summary>
    /// <exception cref="HarnessException">Outputs and collection would be in each other.</exception>
    public void Plan(IReadOnlyList<BuiltProject> projects)
    {
        _target.CheckBeside(projects);
        _plan = new CollectionPlan(projects);
    }

    /// <summary>Looks at a project that was built, as early as that.</summary>
    /// <exception cref="HarnessException">Outputs and collection would be in each other.</exception>
    public void CheckBeside(BuiltProject project) => _target.CheckBeside([project]);

    /// <summary>Reports what a node is given; before it is sent.</summary>
    /// <returns>Which files it is to send.</returns>
    public OutputsWanted Begin(string node, BuiltProject project)
    {
        Of(node).Begin(new OutputTurn(project.Id, project.Title, _plan!.Name(project.Id), ++_turns));
        return _plan.Wanted(project.Id);
    }

    /// <summary>Hands a packet to the collector; any thread.</summary>
    public void Add(Arrival arrival) => _arrivals.Add(arrival);

    /// <summary>Notes that nothing can be collected any more; any thread.</summary>
    public void Fail(string why)
    {
        HarnessException fault = CollectionTarget.Fault(_given, why);
        if (Interlocked.CompareExchange(ref _failure, fault, null) is null)
        {
            _failed(fault);
        }
    }

    /// <summary>Writes out what has come, and publishes all of it. After the last worker has ended.</summary>
    /// <exception cref="HarnessException">Something is missing or cannot be published; what was there is as it was.</exception>
    /// <exception cref="OperationCanceledException">Cancelled; likewise.</exception>
    public async Task<CollectionSummary> PublishAsync(CancellationToken cancellation)
    {
        await EndAsync().ConfigureAwait(false);
        if (Volatile.Read(ref _failure) is { } failure)
        {
            throw failure;
        }

        CollectionPlan plan = _plan!;
        try
        {
            await _output.CompleteAsync(cancellation).ConfigureAwait(false);
        }
        catch (TransportException e)
        {
            throw CollectionTarget.Fault(_given, Plain(e, plan));
        }

        if (plan.Projects.FirstOrDefault(p => !_collected.ContainsKey(p.Id)) is { } missing)
        {
            throw CollectionTarget.Fault(_given, $"no outputs of {missing.Title} came.");
        }

        cancellation.ThrowIfCancellationRequested();
        _target.Publish(plan.Projects.Where(p => _collected[p.Id].Files > 0)
            .ToDictionary(p => _collected[p.Id].Turn.Folder, p => plan.Name(p.Id), StringComparer.Ordinal));
        return new CollectionSummary(_target.FullPath, [.. plan.Projects.Select(p => Said(p, plan))], Failure: null);
    }

    /// <summary>Reports that nothing is published.</summary>
    public CollectionSummary NotPublished(string why) => new(_target.FullPath, [], why);

    /// <summary>Removes what was not published.</summary>
    public async ValueTask DisposeAsync()
    {
        await EndAsync().ConfigureAwait(false);
        await _output.DisposeAsync().ConfigureAwait(false);
        _target.Dispose();
        foreach (NodeOutputs node in _nodes.Values)
        {
            node.Taker.Dispose();
        }
    }

    private CollectedFolder Said(BuiltProject project, CollectionPlan plan)
    {
        CollectedProject outputs = _collected[project.Id];
        return new CollectedFolder(
            project.Path, project.Framework, outputs.Files == 0 ? null : plan.Name(project.Id), outputs.Files, outputs.Bytes);
    }

    private async Task EndAsync()
    {
        _arrivals.End();
        await _collector.ConfigureAwait(false);
    }

    private void Collect()
    {
        while (_arrivals.Take() is { } arrival)
        {
            try
            {
                Collect(arrival);
            }
            catch (TransportException e)
            {
                Fail(Plain(e, _plan));
            }
            catch (CollectException e)
            {
                Fail(e.Message);
            }
#pragma warning disable CA1031 // a collector that ends would leave every worker waiting for its credit
            catch (Exception e)
#pragma warning restore CA1031
            {
                Fail($"collecting failed: {e.Message} ({e.GetType().Name})");
            }

            if (arrival.Block is { } block)
            {
                Blocks.Return(block);
            }

            arrival.Node.Release(arrival.Cost);
            if (arrival.Packet is OutputsEnd end)
            {
                arrival.Node.Answer(end.Project);
            }
        }
    }

    private void Collect(Arrival arrival)
    {
        if (Volatile.Read(ref _failure) is not null)
        {
            return;
        }

        if (arrival.Turn is null)
        {
            arrival.Node.Taker.Drop();
        }
        else if (arrival.Node.Taker.Take(arrival, _output) is { } project
            && (!_collected.TryGetValue(project.Turn.Project, out CollectedProject? last) || last.Turn.Number < project.Turn.Number))
        {
            // Of several turns the last counts: a worker that died behind its last file has sent them all, and the next one does it again.
            _collected[project.Turn.Project] = project;
        }
    }

    /// <summary>Puts the project's name in place of the folder that its files grow in.</summary>
    private static string Plain(TransportException e, CollectionPlan? plan)
    {
        string text = e.Message;
        int quote = text.IndexOf('\'', StringComparison.Ordinal), slash = text.IndexOf('/', StringComparison.Ordinal);
        string[] numbers = quote >= 0 && slash > quote ? text[(quote + 1)..slash].Split('.') : [];
        return plan is not null && numbers.Length == 2 && int.TryParse(numbers[0], out int project)
            && (uint)project < (uint)plan.Projects.Count
            ? $"{text[..(quote + 1)]}{plan.Name(project)}{text[slash..]}"
            : text;
    }
}
