using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using BuildHarness.Collecting;
using BuildHarness.Packets;
using BuildHarness.Tests.Processes;
using NUnit.Framework;
using Transport;
using Transport.MSBuild;
using Transport.Testing;
using Transport.Testing.Wires;

namespace BuildHarness.Tests.Collecting;

/// <summary>A collection of two projects in this process, and workers that send to it over links.</summary>
internal sealed class CollectRig : IAsyncDisposable
{
    private readonly TemporaryFolder _folder = new();
    private readonly LinkListener _listener;
    private readonly List<Link> _links = [];
    private readonly TaskCompletionSource<HarnessException> _failed = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <param name="main">Of the main node's links; null: the defaults.</param>
    /// <param name="prepare">Makes what stands at the target before; null: nothing.</param>
    public CollectRig(LinkOptions? main = null, Action<string>? prepare = null)
    {
        _listener = LinkListener.Start(WireKind.UnixSocket, main);
        Target = Path.Combine(_folder.Path, "out");
        prepare?.Invoke(Target);
        Projects = [Project(0, "A"), Project(1, "B")];
        Collection = Collection.Open(Target, workers: 2, _failed.SetResult);
        Collection.Plan(Projects);
    }

    public string Folder => _folder.Path;

    /// <summary>Gets the folder of the collection.</summary>
    public string Target { get; }

    public IReadOnlyList<BuiltProject> Projects { get; }

    public Collection Collection { get; }

    /// <summary>Gets why nothing can be collected, once that is so.</summary>
    public Task<HarnessException> Failed => _failed.Task;

    /// <summary>Gets what stands beside the target: stagings.</summary>
    public IEnumerable<string> Stagings => Directory.EnumerateFileSystemEntries(Folder, ".out.*");

    /// <summary>Connects a worker.</summary>
    /// <param name="node">Its name.</param>
    /// <param name="grants">The main node grants it its window.</param>
    /// <param name="others">What the worker does with other packets.</param>
    public async Task<(Link Link, OutputSender Sender)> ConnectAsync(string node, bool grants = true, PacketRouter? others = null)
    {
        LinkTicket ticket = _listener.Expect(node);
        Link worker = await Link.ConnectAsync(_listener.Endpoint, ticket.Secret).Within("the worker's link");
        Link main = await ticket.WaitForLinkAsync().Within("the main node's link");
        main.Start(Collection.Of(node).AddTo(new PacketRouter()));
        var sender = new OutputSender();
        worker.Start(sender.AddTo(others ?? new PacketRouter()));
        _links.AddRange([worker, main]);
        if (grants)
        {
            Grant(node, main);
        }

        return (worker, sender);
    }

    /// <summary>Gets the main node's end of the link that was connected last.</summary>
    public Link Main => _links[^1];

    /// <summary>Lets the main node grant what <see cref="ConnectAsync"/> did not.</summary>
    public void Grant(string node) => Grant(node, Main);

    /// <summary>Writes a file of a project's output folder.</summary>
    public OutputItem Output(string path, string text)
    {
        string full = Path.Combine(Folder, "bin", path);
        Directory.CreateDirectory(Path.GetDirectoryName(full)!);
        File.WriteAllText(full, text);
        return new OutputItem(full, path);
    }

    /// <summary>Has a worker send its files, on a thread of its own, as it blocks.</summary>
    public static Task SendAsync(OutputSender sender, Link link, int project, params OutputItem[] files) =>
        Task.Factory.StartNew(() => sender.Send(link, project, files, default), CancellationToken.None, TaskCreationOptions.LongRunning,
            TaskScheduler.Default);

    /// <summary>Sends a packet as it is, whatever the window says.</summary>
    public static async Task SendAsync<T>(Link link, PacketType<T> type, T packet) =>
        Assert.That(await link.SendAsync(type, packet), Is.EqualTo(SendResult.Queued));

    /// <summary>Sends a file in one piece, or a part of it.</summary>
    public static async Task SendAsync(Link link, int project, string path, string text, bool ends = true)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(text);
        await SendAsync(link, OutputFileBegin.PacketType, new OutputFileBegin(project, path, 0x1A4, 1_700_000_000, 5));
        await SendAsync(link, OutputFileBytes.PacketType, new OutputFileBytes(bytes));
        if (ends)
        {
            await SendAsync(link, OutputFileEnd.PacketType,
                new OutputFileEnd(bytes.Length, System.Security.Cryptography.SHA256.HashData(bytes)));
        }
    }

    /// <summary>All files of the collection but the one that says what it is, with their texts.</summary>
    public string[] Published() =>
        [.. Directory.EnumerateFiles(Target, "*", SearchOption.AllDirectories)
            .Select(f => $"{Path.GetRelativePath(Target, f)}={File.ReadAllText(f)}")
            .Where(f => !f.StartsWith(CollectionTarget.Marker, StringComparison.Ordinal)).Order(StringComparer.Ordinal)];

    public async ValueTask DisposeAsync()
    {
        await Task.WhenAll(_links.Select(l => l.CloseAsync(timeout: TimeSpan.FromSeconds(5)))).Within("the links' ends");
        await _listener.DisposeAsync();
        await Collection.DisposeAsync();
        Assert.That(Stagings, Is.Empty, "nothing is left behind");
        _folder.Dispose();
    }

    private BuiltProject Project(int id, string name) => new(id, new ProjectEvaluated(
        Path.Combine(Folder, "src", name, name + ".csproj"), "net10.0", IsInner: false, Path.Combine(Folder, "src", name, "bin"), string.Empty));

    private void Grant(string node, Link main) => Collection.Of(node).Connected(main);
}
