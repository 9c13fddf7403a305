using System.Collections.Immutable;
using System.Globalization;
using System.Linq;
using System.Threading.Tasks;
using Microsoft.CodeAnalysis;
using NUnit.Framework;
using Transport.Generator.Analysis;
using Transport.Generator.Tests.Kit;

namespace Transport.Generator.Tests.Writing;

/// <summary>TRANSPORT031, 032, 035 and 037: what handlers should not do. The part in {|…|} is what is marked.</summary>
internal sealed class HandlerWarningTests
{
    private const string Around = """
        using System;
        using System.Threading;
        using System.Threading.Tasks;
        using Transport;

        public sealed class Main(Link link, PacketType<string> type, Task task, Task<int> number, SemaphoreSlim gate)
        {
            public void Run()
            {
                var router = new PacketRouter();
                BODY
            }

            private int _handled;

            public sealed class Sum { public int Value { get; set; } }

            public void Use() => _ = (link, type, task, number, gate, _handled);
            private void Blocks(string text, PacketContext context) => task.Wait();
            private async Task WaitsAsync(string text, PacketContext context) => await task;
        }
        """;

    [TestCase("router.On(type, (_, _) => {|task.Wait()|});", "Wait")]
    [TestCase("router.On(type, (_, _) => { if (task.IsCompleted) { {|Task.WaitAll(task, number)|}; } });", "WaitAll")]
    [TestCase("router.On(type, (_, _) => { int i = {|number.Result|}; });", "Result")]
    [TestCase("router.On(type, (_, _) => {|task.GetAwaiter().GetResult()|});", "GetResult")]
    [TestCase("router.On(type, (_, _) => {|task.ConfigureAwait(false).GetAwaiter().GetResult()|});", "GetResult")]
    [TestCase("router.On(type, (_, _) => {|Thread.Sleep(1)|});", "Sleep")]
    [TestCase("router.On(type, async (_, _) => { await task; {|gate.Wait()|}; });", "Wait")]
    [TestCase("router.On(type, (text, context) => { _ = {|link.Send(type, text, TimeSpan.FromSeconds(1))|}; });", "Send")]
    [TestCase("router.OnRaw(1024, _ => {|task.Wait()|});", "Wait")]
    [TestCase("router.OnUnknown(_ => { {|task.Wait()|}; return task; });", "Wait")]
    [TestCase("router.OnRaw(1024, raw => SaveAsync(raw.Lease())); async Task SaveAsync(PacketLease raw) { await task; {|gate.Wait()|}; }",
        "Wait")]
    [TestCase("router.On(type, Local); void Local(string text, PacketContext context) => {|task.Wait()|};", "Wait")]
    public async Task A_handler_that_blocks_is_warned_of(string body, string call)
    {
        Diagnostic one = await Only(body);
        Assert.That(one.Id, Is.EqualTo("TRANSPORT031"));
        Assert.That(one.GetMessage(CultureInfo.InvariantCulture),
            Does.StartWith($"'{call}' blocks the thread that reads"));
    }

    [Test]
    public async Task A_method_of_the_same_file_is_looked_into()
    {
        Diagnostic one = (await RunAsync("router.On(type, Blocks);")).Single();
        Assert.That(one.Id, Is.EqualTo("TRANSPORT031"));
    }

    [TestCase("router.On(type, async (text, context) => { _ = {|await link.RequestAsync(type, type, text)|}; });")]
    [TestCase("router.On(type, (text, _) => {|link.RequestAsync(type, type, text)|});")]
    [TestCase("router.On(type, async (text, context) => { _ = {|await link.RequestAsync(type, type, text).ConfigureAwait(false)|}; });")]
    [TestCase("router.OnRaw(1024, raw => {|link.RequestAsync(type, type, \"x\")|});")]
    [TestCase("router.OnRaw(1024, raw => SaveAsync(raw.Lease())); async Task SaveAsync(PacketLease raw) { _ = {|await link.RequestAsync(type, "
        + "type, \"x\")|}; }")]
    [TestCase("router.On(type, async (text, _) => { {|await foreach (string one in link.RequestStreamAsync(type, type, text)) { }|} });")]
    [TestCase("router.On(type, async (text, _) => { {|await foreach (string one in link.RequestStreamAsync(type, type, text)"
        + ".WithCancellation(default).ConfigureAwait(false)) { }|} });")]
    public async Task A_handler_that_awaits_an_answer_is_warned_of(string body)
    {
        Diagnostic one = await Only(body);
        Assert.That(one.Id, Is.EqualTo("TRANSPORT032"));
    }

    [TestCase("router.On(type, (_, _) => {|new ValueTask(task)|});")]
    [TestCase("router.OnRaw(1024, _ => { {|gate.WaitAsync()|}; });")]
    [TestCase("router.OnRaw(1024, raw => { _ = raw.Type; _ = {|SaveAsync(raw.Lease())|}; }); async Task SaveAsync(PacketLease raw) => "
        + "await task;")]
    [TestCase("router.OnRaw(1024, raw => { {|SaveAsync(raw.Lease())|}; }); async Task SaveAsync(PacketLease raw) => await task;")]
    public async Task A_task_that_nobody_awaits_is_warned_of(string body)
    {
        Diagnostic one = await Only(body);
        Assert.That(one.Id, Is.EqualTo("TRANSPORT035"));
    }

    [TestCase("int count = 0; router.On(type, (_, _) => {|count++|}); _ = count;", "count")]
    [TestCase("long bytes = 0; router.On(type, (text, _) => {|bytes += text.Length|}); _ = bytes;", "bytes")]
    [TestCase("router.On(type, (_, _) => { {|_handled++|}; });", "_handled")]
    [TestCase("var sums = new int[2]; var sum = new Sum(); router.On(type, (_, _) => { {|sum.Value--|}; }); _ = sums;", "sum.Value")]
    [TestCase("router.OnRequest(type, type, (text, _) => { {|_handled++|}; return Task.FromResult(text); });", "_handled")]
    [TestCase("router.OnRaw(1024, _ => {|_handled++|});", "_handled")]
    public async Task A_handler_that_changes_what_others_change_too_is_told(string body, string what)
    {
        Diagnostic one = (await RunAsync(body)).Single();
        Assert.That((one.Id, one.Severity), Is.EqualTo(("TRANSPORT037", DiagnosticSeverity.Info)));
        Assert.That(AnalyzedSource.MarkedBy(one), Is.EqualTo(new AnalyzedSource(Around, body).Marked));
        Assert.That(one.GetMessage(CultureInfo.InvariantCulture), Does.EndWith($"so '{what}' loses changes: use Interlocked or a "
            + "lock"));
    }

    [TestCase("router.On(type, (text, _) => { int own = 0; own++; _handled = own; });")]
    [TestCase("int count = 0; router.On(type, (_, _) => Interlocked.Increment(ref count)); _ = count;")]
    [TestCase("router.On(type, (_, _) => { lock (link) { _handled++; } });")]
    [TestCase("int count = 0; count++; _ = count;")]
    public async Task What_is_a_handlers_own_or_under_a_lock_is_fine(string body) => Assert.That(await RunAsync(body), Is.Empty);

    [TestCase("router.On(type, async (_, _) => await task);")]
    [TestCase("router.On(type, WaitsAsync);")]
    [TestCase("router.On(type, (text, context) => { _ = Task.Run(() => task.Wait()); });")]
    [TestCase("router.On(type, (text, context) => { _ = Task.Run(async () => await link.RequestAsync(type, type, text)); });")]
    [TestCase("router.On(type, (text, context) => { _ = link.RequestAsync(type, type, text); });")]
    [TestCase("router.OnRequest(type, type, async (text, _) => await link.RequestAsync(type, type, text));")]
    [TestCase("router.OnRequest(type, type, (text, _) => { task.Wait(); return Task.FromResult(text); });")]
    [TestCase("router.On(type, (text, context) => { _ = link.TrySend(type, text); });")]
    [TestCase("router.On(type, (text, context) => { _ = link.RequestStreamAsync(type, type, text); });")]
    [TestCase("task.Wait(); Thread.Sleep(1);")]
    public async Task What_does_not_hold_up_a_link_is_fine(string body) => Assert.That(await RunAsync(body), Is.Empty);

    /// <summary>Returns the one message, a warning that marks the right part.</summary>
    private static async Task<Diagnostic> Only(string body)
    {
        Diagnostic one = (await RunAsync(body)).Single();
        Assert.That(one.Severity, Is.EqualTo(DiagnosticSeverity.Warning));
        Assert.That(AnalyzedSource.MarkedBy(one), Is.EqualTo(new AnalyzedSource(Around, body).Marked));
        return one;
    }

    private static Task<ImmutableArray<Diagnostic>> RunAsync(string body) =>
        new AnalyzedSource(Around, body).RunAsync(new HandlerAnalyzer());
}
