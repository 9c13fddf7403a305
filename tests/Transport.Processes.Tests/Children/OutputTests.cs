using System;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Processes.Tests.Kit;
using Transport.Testing;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Children;

/// <summary>Every line a process wrote is there when its end is reported, and nobody can delay the reporting.</summary>
public sealed class OutputTests
{
    [Test]
    public async Task Lines_come_whole_and_in_order()
    {
        (_, Lines lines) = await Shell.Run(TestHost.Start("print", "20000")).ConfigureAwait(false);
        Assert.That(lines.Of(isError: false), Is.EqualTo(Enumerable.Range(1, 20000).Select(i => $"line {i}")));
    }

    [Test]
    public async Task Last_twenty_error_lines_of_a_flood_are_kept()
    {
        ChildProcess child = ChildProcess.Start(TestHost.Start("flood", "50000"));
        await child.WaitForExitAsync().Within("the end").ConfigureAwait(false);
        Assert.That(child.LastErrorLines, Is.EqualTo(Enumerable.Range(49981, 20).Select(i => $"line {i}")));
    }

    [Test]
    public async Task Last_words_before_SIGKILL_are_there()
    {
        for (int round = 0; round < 30; round++)
        {
            (ProcessExit end, Lines lines) = await Shell.Run("echo last output >&2; kill -KILL $$").ConfigureAwait(false);
            Assert.That(end.SignalName, Is.EqualTo("SIGKILL"));
            Assert.That(lines.Of(isError: true), Is.EqualTo(new[] { "last output" }));
        }
    }

    [Test]
    public async Task Both_streams_and_line_ends_are_reported()
    {
        (_, Lines lines) = await Shell.Run(@"printf 'one\r\ntwo\n\nopen'; printf 'err\377' >&2").ConfigureAwait(false);
        Assert.That(lines.Of(isError: false), Is.EqualTo(new[] { "one", "two", string.Empty, "open" }));
        Assert.That(lines.Of(isError: true), Is.EqualTo(new[] { "err\uFFFD" }));
    }

    [Test]
    public async Task Endless_line_comes_in_pieces()
    {
        (_, Lines lines) = await Shell.Run("head -c 200000 /dev/zero | tr '\\0' x; echo; echo next").ConfigureAwait(false);
        Assert.That(lines.All().Select(l => (l.Text.Length, l.IsPartial)),
            Is.EqualTo(new[] { (65536, true), (65536, true), (65536, true), (3392, false), (4, false) }));
    }

    [Test]
    public async Task Grandchild_that_holds_the_pipe_delays_nothing()
    {
        var lines = new Lines();
        ChildProcess child = ChildProcess.Start(Shell.Command("sleep 600 & echo $!; exit 4").With(output: lines.Take));
        ProcessExit end = await child.WaitForExitAsync().Within("the end").ConfigureAwait(false);
        int grandchild = int.Parse(lines.Of(isError: false)[0]);
        bool holds = ProcessTable.DescriptorsOf(grandchild).Length > 0;
        ProcessTable.Signal(grandchild, 9);
        Assert.That(end.ToString(), Is.EqualTo("exit 4"));
        Assert.That(holds, Is.True, "the grandchild has lived on: nobody has waited for it");
    }

    [Test]
    public async Task Grandchild_that_writes_forever_delays_nothing()
    {
        var lines = new Lines();
        ChildProcess child = ChildProcess.Start(Shell.Command("yes & echo pid $! >&2; exit 4").With(output: lines.Take));
        ProcessExit end = await child.WaitForExitAsync().Within("the end").ConfigureAwait(false);
        int grandchild = int.Parse(lines.Of(isError: true)[0].Substring(4));
        bool gone = ProcessTable.WaitGone(grandchild, WithinExtensions.Bound);
        ProcessTable.Signal(grandchild, 9);
        Assert.That(end.ToString(), Is.EqualTo("exit 4"));
        Assert.That(gone, Is.True, "its pipe is closed, so writing ends it");
    }

    [Test]
    public async Task Closed_streams_do_not_end_the_wait()
    {
        (ProcessExit end, _) = await Shell.Run("exec >&- 2>&-; /bin/true; exit 9").ConfigureAwait(false);
        Assert.That(end.ToString(), Is.EqualTo("exit 9"));
    }

    [Test]
    public async Task Function_that_throws_is_reported_and_harms_nothing()
    {
        int calls = 0;
        ChildProcess child = ChildProcess.Start(Shell.Command("echo a; echo b; echo c >&2").With(output: _ =>
        {
            throw new InvalidOperationException($"mine, {++calls}");
        }));
        Assert.That((await child.WaitForExitAsync().Within("the end").ConfigureAwait(false)).IsSuccess, Is.True);
        Assert.That(calls, Is.EqualTo(3), "it hears of every line");
        Assert.That(child.OutputFault!.Message, Is.EqualTo("mine, 1"));
        Assert.That(child.LastErrorLines, Is.EqualTo(new[] { "c" }));
    }
}
