using System.IO;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Journal.Tests;
using Transport.Testing;

namespace Transport.Journal.Tests.Spill;

/// <summary>What docs/guide/spill.md shows is compiled, and does what it says.</summary>
internal sealed class SpillExampleTests
{
    [Test]
    public void The_page_shows_the_example()
    {
        string code = ExamplePage.Text("SpillExample.cs");
        string shown = code.Substring(code.IndexOf("public static class", System.StringComparison.Ordinal)).Trim();
        Assert.That(ExamplePage.Text("../../../docs/guide/spill.md"), Does.Contain(shown));
    }

    [Test]
    public async Task The_example_works()
    {
        using var folder = new TestFolder();
        var came = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        var type = new PacketType<string>(1025, "Text", new TextFormatter(came));
        await using LinkListener listener = LinkListener.Start(WireKind.UnixSocket);
        PacketRouter router = SpillExample.Handle(new SpillReceiver(), type);
        await using SpillingSender sender = SpillExample.OpenSender(
            Path.Combine(folder.Root, "spill"), _ => Task.FromResult<SpillTarget?>(SpillExample.Issue(listener, router)));
        Assert.That(SpillExample.Send(sender, type), Is.EqualTo(SendResult.Queued));
        Assert.That(await came.Task.WaitAsync(), Does.StartWith("kept"));
    }

    private sealed class TextFormatter(TaskCompletionSource<string> came) : IPacketFormatter<string>
    {
        public void Write(System.Buffers.IBufferWriter<byte> output, string packet)
        {
            var writer = new PacketWriter(output);
            writer.WriteString(packet);
            writer.Flush();
        }

        public string Read(in System.Buffers.ReadOnlySequence<byte> body)
        {
            var reader = new PacketReader(body);
            string text = reader.ReadRequiredString();
            came.TrySetResult(text);
            return text;
        }
    }
}
