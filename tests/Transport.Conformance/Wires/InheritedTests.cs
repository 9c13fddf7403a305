using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Wires;

namespace Transport.Conformance.Wires;

/// <summary>Pipes that a child inherits: what it takes them for, and what becomes of those that nobody takes.</summary>
[TestFixture]
[Platform("Linux")]
[NonParallelizable] // descriptors are the process's
internal sealed class InheritedTests
{
    [TestCase("fd:3,4")]
    [TestCase("fd:3,4,5,x")]
    [TestCase("fd:3,4,5,6,7")]
    [TestCase("fd:-3,4,5,6")]
    [TestCase("fd:3,99999999999,5,6")]
    [TestCase("fd:")]
    public void An_endpoint_of_another_form_is_refused_by_name(string text)
    {
        var e = Assert.Throws<TransportException>(() => WireEndpoint.Parse(text))!;
        Assert.That((e.Fault, e.Message), Is.EqualTo((TransportFault.BadEndpoint, $"The endpoint '{text}' has another form than "
            + "fd:READ,WRITE,INODE,INODE.")));
    }

    [TestCase("closed", "cannot be used: the descriptor is closed (EBADF)")]
    [TestCase("file", "is no pipe")]
    [TestCase("another", "is another pipe")]
    [TestCase("swapped", "is the pipe's other end")]
    public async Task Descriptors_that_are_something_else_are_not_written_to(string what, string fault)
    {
        using var pipes = InheritedPipes.Create();
        using var other = InheritedPipes.Create();
        using FileStream file = new("/proc/self/status", FileMode.Open, FileAccess.Read);
        string[] words = pipes.Child.Endpoint.Address.Split(',');
        (int read, int write) = (pipes.Child.Read, pipes.Child.Write);
        WireEndpoint told = new(WireKind.Inherited, what switch
        {
            "closed" => $"{read},1000,{words[2]},{words[3]}",
            "file" => $"{file.SafeFileHandle.DangerousGetHandle()},{write},{words[2]},{words[3]}",
            "another" => $"{read},{other.Child.Write},{words[2]},{words[3]}",
            _ => $"{read},{read},{words[2]},{words[2]}",
        });
        var refused = await Assert.ThrowsAsync<TransportException>(() =>
            Link.ConnectAsync(told, LinkSecret.Create(), cancellationToken: default).Within("the refusal"));
        Assert.That(refused!.Fault, Is.EqualTo(TransportFault.ConnectFailed));
        Assert.That(refused.Message, Does.Contain(fault).And.Contain("MainNodeOptions.Wire"));
        Assert.That((pipes.Own.Look(), other.Own.Look()), Is.EqualTo(((short)0, (short)0)), "nothing was written, and all is open");
    }

    [Test]
    public void What_was_taken_over_is_not_found_again()
    {
        using var pipes = InheritedPipes.Create();
        string[] words = pipes.Child.Endpoint.Address.Split(',');
        _ = FileDescriptor.TryDuplicate(pipes.Child.Read, out int read, 50);
        _ = FileDescriptor.TryDuplicate(pipes.Child.Write, out int write, 50);
        WireEndpoint told = new(WireKind.Inherited, $"{read},{write},{words[2]},{words[3]}");
        using IWire first = InheritedEnds.TakeOver(told);
        var e = Assert.Throws<TransportException>(() => InheritedEnds.TakeOver(told))!;
        Assert.That(e.Message, Does.Match($"descriptor {read} (cannot be used|is another pipe|is no pipe)"));
    }

    [Test]
    public void A_childs_children_do_not_inherit_what_it_has_taken_over()
    {
        using var pipes = InheritedPipes.Create();
        string[] words = pipes.Child.Endpoint.Address.Split(',');
        _ = FileDescriptor.TryDuplicate(pipes.Child.Read, out int read, 50);
        _ = FileDescriptor.TryDuplicate(pipes.Child.Write, out int write, 50);
        using IWire child = InheritedEnds.TakeOver(new WireEndpoint(WireKind.Inherited, $"{read},{write},{words[2]},{words[3]}"));
        using Process ls = Process.Start(new ProcessStartInfo("/bin/sh", "-c \"ls -l /proc/self/fd\"")
        {
            RedirectStandardOutput = true, UseShellExecute = false,
        })!;
        string seen = ls.StandardOutput.ReadToEnd();
        Assert.That(seen, Does.Not.Contain($"pipe:[{words[2]}]").And.Not.Contain($"pipe:[{words[3]}]"));
    }

    [Test]
    public void A_child_that_ends_without_a_word_is_dropped_and_one_that_speaks_is_accepted()
    {
        using var listener = new InheritedListener();
        using InheritedPipes silent = InheritedPipes.Create(), speaks = InheritedPipes.Create(), starts = InheritedPipes.Create();
        foreach (InheritedPipes one in new[] { silent, speaks, starts })
        {
            listener.Offer(one.Own, 4711);
        }

        Assert.That(listener.TryAccept(), Is.Null, "all of them start");
        silent.Child.Dispose();
        Assert.That(FileDescriptor.TryWriteAll(speaks.Child.Write, [7]), Is.EqualTo(Errno.None));
        IWire? accepted = listener.TryAccept();
        Assert.That(accepted, Is.SameAs(speaks.Own));
        Assert.That(accepted!.Peer.ToString(), Is.EqualTo("pid 4711, by its pipes"));
        Assert.That(listener.TryAccept(), Is.Null);
        Assert.Throws<IOException>(() => silent.Own.Read(new byte[1], 0, 1, 0), "it was closed");
        listener.Withdraw(starts.Own);
        listener.Withdraw(speaks.Own);
        Assert.That(speaks.Own.Read(new byte[1], 0, 1, 0), Is.EqualTo(1), "an accepted one is not the listener's any more");
        Assert.Throws<IOException>(() => starts.Own.Read(new byte[1], 0, 1, 0), "a withdrawn one is closed");
    }

    [Test]
    public void What_a_child_has_written_before_it_ended_is_read_whole()
    {
        using var listener = new InheritedListener();
        using var ended = InheritedPipes.Create();
        listener.Offer(ended.Own, 4711);
        Assert.That(FileDescriptor.TryWriteAll(ended.Child.Write, [1, 2, 3]), Is.EqualTo(Errno.None));
        ended.Child.Dispose();
        IWire accepted = listener.TryAccept()!;
        byte[] got = new byte[4];
        int first = accepted.Read(got, 0, 4, 0), second = accepted.Read(got, first, 4 - first, 0);
        Assert.That((first + second, got), Is.EqualTo((3, new byte[] { 1, 2, 3, 0 })));
        Assert.That(accepted.Read(got, 0, 4, -1), Is.Zero);
    }

    /// <summary>A grandchild may hold copies of all ends: no end of the stream comes, and no write fails.</summary>
    [Test]
    public async Task An_abort_wakes_a_read_and_a_write_though_somebody_holds_the_other_ends()
    {
        for (int i = 0; i < 200; i++)
        {
            using var pipes = InheritedPipes.Create();
            Task<int> reading = pipes.Own.ReadAsync(new byte[1], 0, 1);
            Task writing = pipes.Own.WriteOnThread(new byte[2 << 20]);
            if (i % 2 == 0)
            {
                await Task.Yield();
            }

            pipes.Own.Abort();
            await Assert.ThrowsAsync<IOException>(() => reading.Within("the read"));
            await Assert.ThrowsAsync<IOException>(() => writing.Within("the write"));
        }
    }

    [Test]
    public void Nothing_is_left_open()
    {
        int before = Open();
        for (int i = 0; i < 100; i++)
        {
            using var listener = new InheritedListener();
            using InheritedPipes offered = InheritedPipes.Create(), kept = InheritedPipes.Create();
            listener.Offer(offered.Own, 1);
        }

        Assert.That(Open(), Is.LessThanOrEqualTo(before + 2));

        static int Open() => Directory.GetFileSystemEntries("/proc/self/fd").Count(static path =>
            FileStatus.Read(int.Parse(Path.GetFileName(path), CultureInfo.InvariantCulture), out FileStatus status) == Errno.None
                && status.Kind == FileKind.Pipe);
    }

    [Test]
    public void Nobody_can_listen_at_inherited_pipes()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => LinkListener.Start(WireKind.Inherited));
        var e = Assert.Throws<TransportException>(() => LinkListener.Start(WireEndpoint.Parse("fd:3,4,5,6")))!;
        Assert.That((e.Fault, e.Message), Is.EqualTo((TransportFault.BadEndpoint,
            "Nobody can listen at fd:3,4,5,6: a main node gives such pipes to the workers that it starts.")));
        var wrong = Assert.Throws<ArgumentException>(() => MainNode.Start(new MainNodeOptions
        {
            Wire = WireKind.Inherited, Endpoint = WireEndpoint.Parse("unix:/tmp/x"),
        }))!;
        Assert.That(wrong.Message, Does.Contain("Inherited without an Endpoint"));
    }
}
