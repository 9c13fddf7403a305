using System;
using System.Buffers;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing;

namespace Transport.Journal.Tests.Reading;

/// <summary>What docs/guide/journal.md shows is compiled, and does what it says.</summary>
internal sealed class JournalExampleTests
{
    [Test]
    public void The_page_shows_the_example()
    {
        string code = ExamplePage.Text("JournalExample.cs");
        Assert.That(ExamplePage.Text("../../../docs/guide/journal.md"),
            Does.Contain(code.Substring(code.IndexOf("public static class", StringComparison.Ordinal)).Trim()));
    }

    [Test]
    public async Task The_example_works()
    {
        using var folder = new TestFolder();
        using var bound = new CancellationTokenSource(TimeSpan.FromSeconds(90));
        var type = new PacketType<string>(1025, "Text", new TextFormatter());
        Assert.That(await JournalExample.WriteAsync(folder.Journal, type, "one", "two", "three"), Is.EqualTo(3));
        var read = new List<(long, string)>();
        JournalExample.Read(folder.Journal, type, 2, (position, text) => read.Add((position, text)));
        Assert.That(read, Is.EqualTo([(2L, "two"), (3L, "three")]));
        var followed = new List<string>();
        await JournalExample.FollowAsync(folder.Journal, type, (_, text) => followed.Add(text), bound.Token);
        Assert.That(followed, Is.EqualTo(["one", "two", "three"]));
        using PacketJournal journal = PacketJournal.Open(folder.Journal);
        Assert.That(JournalExample.Forget(journal, 3).OldestPosition, Is.EqualTo(1), "the last segment stays");
    }

    private sealed class TextFormatter : IPacketFormatter<string>
    {
        public void Write(IBufferWriter<byte> output, string packet)
        {
            var writer = new PacketWriter(output);
            writer.WriteString(packet);
            writer.Flush();
        }

        public string Read(in ReadOnlySequence<byte> body) => new PacketReader(body).ReadRequiredString();
    }
}
