using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Kit;

/// <summary>A main node for one test: keeps what each worker says and sends.</summary>
internal sealed class MainRig : IAsyncDisposable
{
    public MainRig(string? wire = null, Action<MainNodeOptions>? change = null)
    {
        // A slow machine's workers are no slower to connect and to end than the tests are patient.
        var options = new MainNodeOptions { Wire = WireKinds.Of(wire ?? DefaultWire), ConnectTimeout = WithinExtensions.Bound,
            StopTimeout = WithinExtensions.Bound, BrokenLinkGrace = WithinExtensions.Bound };
        change?.Invoke(options);
        Main = MainNode.Start(options);
    }

    /// <summary>Gets the wire of tests that name none: <c>TRANSPORT_TEST_WIRE</c>, or a socket.</summary>
    public static string DefaultWire { get; } = Environment.GetEnvironmentVariable("TRANSPORT_TEST_WIRE") ?? WireKinds.Unix;

    public MainNode Main { get; }

    public Lines Lines { get; } = new();

    /// <summary>Gets the numbers received, of all workers.</summary>
    public List<int> Numbers { get; } = new();

    /// <summary>Gets or sets what is called with the count of numbers, after each.</summary>
    public Action<int>? Received { get; set; }

    public WorkerProcess Start(params string[] arguments) => Start(TestHost.Start(arguments));

    public WorkerProcess Start(WorkerStartOptions start) => Main.StartWorker(start.With(new PacketRouter().OnRaw(1024, packet =>
    {
        ReadOnlySpan<byte> body = packet.Body;
        lock (Numbers)
        {
            Numbers.Add((body[1] << 24) | (body[2] << 16) | (body[3] << 8) | body[4]);
        }

        Received?.Invoke(Numbers.Count);
    }), Lines.Take));

    /// <summary>Starts a worker that says "connected PID" and waits until it has.</summary>
    public async Task<WorkerProcess> StartConnected(params string[] arguments)
    {
        WorkerProcess worker = Start(arguments);
        await Lines.First(l => l.Text.StartsWith("connected ", StringComparison.Ordinal), "connected").ConfigureAwait(false);
        await worker.WaitForLinkAsync().Within("the link").ConfigureAwait(false);
        return worker;
    }

    public async Task<WorkerExit> End(WorkerProcess worker)
    {
        WorkerExit end = await worker.WaitForExitAsync().Within($"the end of {worker}").ConfigureAwait(false);
        TestContext.Out.WriteLine(end);
        return end;
    }

    public void AssertNumbers(int count) => Assert.That(Numbers, Is.EqualTo(Enumerable.Range(1, count)));

    public ValueTask DisposeAsync() => Main.DisposeAsync();
}
