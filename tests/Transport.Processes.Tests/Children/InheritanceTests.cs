using System;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Processes.Tests.Kit;
using Transport.Testing.Wires;
using Transport.Testing;

namespace Transport.Processes.Tests.Children;

/// <summary>A child gets nothing that was not meant for it, and leaves nothing behind.</summary>
[NonParallelizable] // it counts descriptors and children of the process
public sealed class InheritanceTests
{
    [Test]
    public async Task No_handle_but_three_is_inherited()
    {
        (int read, int write) = ChildDescriptors.Pipe();
        using FileStream leaky = File.OpenRead("/proc/self/status");
        try
        {
            var lines = new Lines();
            ChildProcess child = ChildProcess.Start(Shell.Command("echo ready; exec sleep 1000").With(output: lines.Take));
            await lines.First(l => l.Text == "ready", "ready").ConfigureAwait(false);

            // A program that is being loaded opens its libraries and closes them; what is inherited stays.
            int[] inherited = [];
            _ = SpinWait.SpinUntil(() => (inherited = ProcessTable.DescriptorsOf(child.ProcessId)).SequenceEqual([0, 1, 2]),
                WithinExtensions.Bound);
            child.Kill();
            await child.WaitForExitAsync().Within("the end").ConfigureAwait(false);
            Assert.That(inherited, Is.EqualTo(new[] { 0, 1, 2 }));
        }
        finally
        {
            ChildDescriptors.Close(read);
            ChildDescriptors.Close(write);
        }
    }

    [Test]
    public async Task Signals_are_at_their_defaults()
    {
        // The runtime ignores SIGPIPE and may block others; a child starts afresh. Bits as in proc(5).
        (_, Lines lines) = await Shell.Run(new WorkerStartOptions("/bin/grep", "-E", "^Sig(Ign|Blk):", "/proc/self/status"))
            .ConfigureAwait(false);
        Assert.That(lines.Of(isError: false).Select(l => l.Split('\t')[1].Trim('0')), Is.EqualTo(new[] { "", "" }),
            string.Join(" ", lines.Of(isError: false)));
        string own = File.ReadAllLines("/proc/self/status").First(l => l.StartsWith("SigIgn", StringComparison.Ordinal));
        Assert.That(own.TrimEnd('0'), Does.Not.EndWith("\t"), "this process ignores none itself, so the test shows nothing");
    }

    [Test]
    public async Task Sigpipe_ends_a_writer_in_the_child()
    {
        (_, Lines lines) = await Shell.Run("(yes; echo yes ended with $? >&2) | head -1").ConfigureAwait(false);
        Assert.That(lines.Of(isError: true), Is.EqualTo(new[] { "yes ended with 141" }));
    }

    [TestCase(false)]
    [TestCase(true)]
    public async Task Own_process_group_only_where_asked_for(bool own)
    {
        WorkerStartOptions start = Shell.Command("echo $$ $(ps -o pgid= -p $$)");
        start.OwnProcessGroup = own;
        (_, Lines lines) = await Shell.Run(start).ConfigureAwait(false);
        string[] ids = lines.Of(isError: false)[0].Split(' ');
        Assert.That(ids[0] == ids[1], Is.EqualTo(own));
    }

    [TestCase(false)]
    [TestCase(true)]
    public async Task Hundred_children_leave_nothing_behind(bool withoutPidfd)
    {
        Func<int, EndWatch> watch = withoutPidfd ? EndWatch.OpenWithThread : EndWatch.Open;
        await RunOne(watch, 0).ConfigureAwait(false);
        int before = ProcessTable.OwnDescriptors().Length;
        for (int i = 0; i < 100; i++)
        {
            await RunOne(watch, i).ConfigureAwait(false);
        }

        AssertNoZombies();
        _ = SpinWait.SpinUntil(() => ProcessTable.OwnDescriptors().Length <= before + 5, WithinExtensions.Bound);
        Assert.That(ProcessTable.OwnDescriptors(), Has.Length.LessThanOrEqualTo(before + 5), "the runtime may open a few of its own");
    }

    [TestCase(false)]
    [TestCase(true)]
    public async Task Many_at_once_are_distinguished(bool withoutPidfd)
    {
        Func<int, EndWatch> watch = withoutPidfd ? EndWatch.OpenWithThread : EndWatch.Open;
        await Task.WhenAll(Enumerable.Range(0, 40).Select(i => RunOne(watch, i))).ConfigureAwait(false);
        AssertNoZombies();
    }

    /// <summary>A child of an earlier test may just be about to be waited for, by the runtime.</summary>
    private static void AssertNoZombies()
    {
        _ = SpinWait.SpinUntil(() => ProcessTable.Zombies() == 0, WithinExtensions.Bound);
        Assert.That(ProcessTable.Zombies(), Is.Zero);
    }

    private static async Task RunOne(Func<int, EndWatch> watch, int number)
    {
        var lines = new Lines();
        IChild child = UnixChild.TryStart(
            Shell.Command($"echo {number}; exit {number}"), new OutputSink(lines.Take), new OomLedger(), watch, out _)!;
        ProcessExit end = await child.Ended.Within("the end").ConfigureAwait(false);
        Assert.That(end.ToString(), Is.EqualTo($"exit {number}"));
        Assert.That(lines.Of(isError: false), Is.EqualTo(new[] { number.ToString() }));
    }
}
