using System.Buffers;
using System.Linq;
using BuildHarness.Building;
using NUnit.Framework;
using Transport;
using Transport.MSBuild;

namespace BuildHarness.Tests.Building;

/// <summary>What a build's closing line counts.</summary>
internal sealed class EventFeedTests
{
    /// <summary>MSBuild ends its tasks then and warns of each ("Terminating the task executable csc"); nobody wants to read that.</summary>
    [Test]
    public void A_task_that_is_ended_behind_a_stop_is_no_warning_and_others_are()
    {
        var shown = new Lines();
        var feed = new EventFeed(shown, log: null, BuildVerbosity.Minimal);
        feed.Take("n1", Warning("MSB5021", "Terminating one"));
        Assert.That(feed.Warnings, Is.EqualTo(1), "nobody has stopped the build: it is a fault of the project");
        feed.Stop();
        feed.Take("n1", Warning("MSB5021", "Terminating csc"));
        feed.Take("n1", Warning("CS0168", "never used"));
        Assert.That((feed.Events, feed.Warnings), Is.EqualTo((3L, 2L)));
        Assert.That(shown.ToString(), Does.Contain("Terminating one").And.Contain("never used").And.Not.Contain("Terminating csc"));
    }

    private static RawPacket Warning(string code, string message)
    {
        var one = new BuildEvent
        {
            Kind = BuildEventKind.Warning, Message = message,
            Fields = [.. BuildEvent.FieldNames(BuildEventKind.Warning).Select(name => name == "Code" ? code : null)],
        };
        var body = new ArrayBufferWriter<byte>();
        BuildEvent.PacketType.Formatter.Write(body, one);
        return new RawPacket(BuildEvent.PacketType.Id, Lane.Normal, body.WrittenMemory);
    }
}
