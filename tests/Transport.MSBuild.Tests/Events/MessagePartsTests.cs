using System;
using System.Buffers;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Threading.Tasks;
using Microsoft.Build.Framework;
using NUnit.Framework;
using Transport.Testing.Wires;

namespace Transport.MSBuild.Tests.Events;

/// <summary>Messages that are put together where they are read.</summary>
[TestFixture]
internal sealed class MessagePartsTests
{
    private static IEnumerable<TestCaseData> Messages()
    {
        yield return Case("no places", "no arguments");
        yield return Case("Copying \"{0}\" to \"{1}\" with {2}.", "a", "b", 33188);
        yield return Case("{1}{0}{1}", "again", -7);
        yield return Case("{{0}} is {0}, }} and {{", "text");
        yield return Case("{0}: nothing{1}", "null", null);
        yield return Case("{0,-8}|{1:X}|{2:N2}", "wide", 255, 1.5);
        yield return Case("{0} {1} {2}", 1.25, new DateTime(2026, 11, 28, 1, 2, 3, DateTimeKind.Utc), DayOfWeek.Monday);
        yield return Case("{0 } is a place too", "text");
        yield return Case("{9} has no argument", "text");
        yield return Case("an open { brace", "text");
        yield return Case("{0}", new string('x', 20_000));
        yield return Case("", "text");
        yield return Case(string.Concat(Enumerable.Range(0, 300).Select(i => $"{{{i}}},")),
            [.. Enumerable.Range(0, 300).Select(i => (object)i)]);

        static TestCaseData Case(string format, params object?[] arguments) => new TestCaseData(format, arguments).SetArgDisplayNames(
            format.Length > 40 ? format[..40] + "…" : format, $"{arguments.Length} arguments");
    }

    [TestCaseSource(nameof(Messages))]
    public async Task A_message_reads_as_MSBuild_shows_it_here_and_at_the_other_end(string format, object?[] arguments)
    {
        BuildEvent whole = new BuildEventReader().Read(Logged(format, arguments));
        BuildEvent parts = new BuildEventReader { KeepsParts = true }.Read(Logged(format, arguments));
        string? shown = Logged(format, arguments).Message;

        // Of a format that is none MSBuild shows the exception too, with its stack, which differs with the caller.
        int compared = shown!.Contains(nameof(FormatException), StringComparison.Ordinal) ? format.Length : shown.Length;
        Assert.That(whole.Message![..compared], Is.EqualTo(shown[..compared]));
        IReadOnlyList<string?> received = await SendAsync(parts, whole);
        Assert.That(received[0]![..compared], Is.EqualTo(shown[..compared]), "in parts, over a link");
        Assert.That(received[1]![..compared], Is.EqualTo(shown[..compared]), "whole, over a link");
        Assert.That(parts.Message![..compared], Is.EqualTo(shown[..compared]), "in parts, here");
    }

    [Test]
    public void Random_formats_read_as_string_Format_makes_them()
    {
        int seed = Environment.TickCount;
        TestContext.Out.WriteLine($"seed {seed}");
        var random = new Random(seed);
        string[] pieces = ["{0}", "{1}", "{2}", "{3}", "{{", "}}", "{", "}", "text", " ", "{0,3}", "{1:X}", "{00}", "{ 0}", "\ue000"];
        int lazy = 0;
        for (int round = 0; round < 20_000; round++)
        {
            string format = string.Concat(Enumerable.Range(0, random.Next(8)).Select(_ => pieces[random.Next(pieces.Length)]));
            string?[] arguments = [.. Enumerable.Range(0, random.Next(1, 5)).Select(i => i == 2 ? null : $"<{i}{{0}}>")];
            int length = LazyMessage.LengthOf(format, arguments);
            if (length < 0)
            {
                continue;
            }

            lazy++;
            string expected = string.Format(CultureInfo.InvariantCulture, format, [.. arguments]);
            Assert.That(new LazyMessage(format, arguments).ToString(), Is.EqualTo(expected), format);
            Assert.That(length, Is.EqualTo(expected.Length), format);
        }

        Assert.That(lazy, Is.GreaterThan(1_000), "formats that stay in parts");
    }

    [TestCase(false)]
    [TestCase(true)]
    public void An_argument_that_throws_costs_its_message_alone(bool keepsParts)
    {
        BuildEvent read = new BuildEventReader { KeepsParts = keepsParts }.Read(Logged("It says {0} and {1}.", ["this", new Thrower()]));

        Assert.That(read.Message, Is.EqualTo("It says {0} and {1}. (NotSupportedException: the message cannot be formatted)"));
    }

    [Test]
    public void What_a_task_does_with_its_arguments_later_changes_no_message()
    {
        object?[] arguments = ["first"];
        BuildMessageEventArgs logged = Logged("{0}", arguments);
        BuildEvent read = new BuildEventReader { KeepsParts = true }.Read(logged);
        arguments[0] = "second";

        Assert.That(read.Message, Is.EqualTo("first"));
    }

    [Test]
    public void Messages_with_fields_of_their_own_keep_them()
    {
        var reader = new BuildEventReader { KeepsParts = true };
        BuildEvent[] read = [.. new[] { MessageImportance.High, MessageImportance.Low }.SelectMany(importance => new[]
        {
            new BuildMessageEventArgs("sub", "C1", "a.cs", 1, 2, 3, 4, "text", null, "T", importance),
            new BuildMessageEventArgs("plain", null, "T", importance) { ProjectFile = "p.csproj" },
            new BuildMessageEventArgs("plain", null, "T", importance) { ProjectFile = "q.csproj" },
        }).Select(args => reader.Read(args))];

        Assert.That(read.Select(one => (one.Number("Importance"), one.Text("Code"), one.Number("LineNumber"), one.Text("ProjectFile"))),
            Is.EqualTo(new[]
            {
                (0, "C1", 1, null), (0, null, 0, "p.csproj"), (0, null, 0, "q.csproj"),
                (2, "C1", 1, null), (2, null, 0, "p.csproj"), (2, (string?)null, 0, (string?)"q.csproj"),
            }));
    }

    [Test]
    public void A_level_is_known_without_reading()
    {
        BuildEventArgs[] events = [Logged("m", []), new BuildErrorEventArgs("", "", "", 0, 0, 0, 0, "", "", ""),
            new CriticalBuildMessageEventArgs("", "", "", 0, 0, 0, 0, "", "", ""),
            new BuildMessageEventArgs("m", "", "", MessageImportance.High),
            new TaskStartedEventArgs("m", "", "", "", ""), new TargetFinishedEventArgs("m", "", "", "", "", true),
            new TaskCommandLineEventArgs("c", "t", MessageImportance.High)];
        foreach (BuildEventArgs one in events)
        {
            BuildVerbosity level = BuildEventText.LevelOf(new BuildEventReader().Read(one));
            Assert.That(BuildEventReader.LevelOf(one), Is.EqualTo(level), one.GetType().Name);
        }
    }

    [TestCase("92 91 a161 a5 7b317d2020", TestName = "a place without its argument")]
    [TestCase("92 dc0010 a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0 a0", TestName = "16 arguments")]
    [TestCase("91 90", TestName = "no format")]
    [TestCase("92 90 c0", TestName = "nil in place of the format")]
    [TestCase("92 91 a161 a2 7b78", TestName = "an open brace")]
    public void Parts_that_make_no_message_are_malformed(string parts)
    {
        byte[] body = [0x95, 1, 42, 0xc0, 2, .. Convert.FromHexString(parts.Replace(" ", string.Empty, StringComparison.Ordinal))];

        var e = Assert.Throws<TransportException>(() => new BuildEventFormatter().Read(new ReadOnlySequence<byte>(body)));
        Assert.That(e!.Fault, Is.EqualTo(TransportFault.PacketMalformed));
    }

    [Test]
    public void Few_bytes_do_not_stand_for_a_long_message_in_parts()
    {
        string format = string.Concat(Enumerable.Repeat("{0}", 1_000));
        Assert.That(LazyMessage.LengthOf(format, [new string('x', 8)]), Is.EqualTo(8_000));
        Assert.That(LazyMessage.LengthOf(format, [new string('x', 9)]), Is.EqualTo(-1));
        Assert.That(LazyMessage.LengthOf(string.Concat(Enumerable.Repeat(format, 2_000)), [new string('x', 2_000_000)]), Is.EqualTo(-1),
            "more than an int counts");
    }

    /// <summary>Sends events over a link, whose sides have tables, and returns their messages.</summary>
    private static async Task<IReadOnlyList<string?>> SendAsync(params BuildEvent[] events)
    {
        var received = new List<string?>();
        await using LinkListener listener = LinkListener.Start(
            OperatingSystem.IsWindows() ? WireKind.NamedPipe : WireKind.UnixSocket);
        LinkTicket ticket = listener.Expect("n1");
        Task<Link> accepting = ticket.WaitForLinkAsync();
        Link worker = await Link.ConnectAsync(listener.Endpoint, ticket.Secret).Within("the link");
        Link main = await accepting.Within("the link");
        main.Start(new PacketRouter().On<BuildEvent>(one => received.Add(one.Message)));
        worker.Start(new PacketRouter());
        foreach (BuildEvent one in events)
        {
            Assert.That(worker.TrySend(BuildEvent.PacketType, one), Is.EqualTo(SendResult.Queued));
        }

        LinkEnd end = await worker.CloseAsync().Within("the link's end");
        Assert.That(end.IsClean, end.ToString());
        return received;
    }

    private static BuildMessageEventArgs Logged(string format, object?[] arguments) =>
        new(format, helpKeyword: null, "Task", MessageImportance.Low, new DateTime(2026, 11, 28, 0, 0, 0, DateTimeKind.Utc), arguments);

    private sealed class Thrower
    {
        public override string ToString() => throw new NotSupportedException();
    }
}
