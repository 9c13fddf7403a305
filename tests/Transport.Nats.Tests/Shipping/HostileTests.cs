using System;
using System.Buffers.Binary;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NATS.Client.Core;
using NATS.Client.JetStream;
using NATS.Client.JetStream.Models;
using NUnit.Framework;
using Transport.Journal;
using Transport.Nats.Tests.Kit;
using Transport.Testing.Servers;

namespace Transport.Nats.Tests.Shipping;

/// <summary>Messages, servers and settings that are not what they should be: each is a line, and nothing is lost.</summary>
internal sealed class HostileTests
{
    private static readonly Guid Id = new("0123456789abcdef0123456789abcdef");

    private static readonly string Subject = $"transport.journal.m1.{Id:N}";

    [Test]
    public async Task Messages_that_are_no_blocks_are_put_aside_with_a_line_and_the_others_go_on()
    {
        await using Fleet fleet = await Fleet.StartAsync();
        await using JournalReceiver receiver = fleet.Receive();
        await using JournalShipper shipper = fleet.Ship();
        await Records.AppendAsync(fleet.Journal, 1, 100);
        _ = await Records.WaitAsync(receiver, fleet.Journal.Id, 100);
        byte[] good = Block(previous: 0, first: 1, last: 1);
        (string Subject, byte[] Message, string Why)[] bad =
        [
            (Subject, [], "is no block of a journal"),
            (Subject, new byte[100], "is no block of a journal"),
            (Subject, Changed(good, 4, 2), "has format 2"),
            (Subject, Changed(good, 70, 0xff), "is damaged"),
            (Subject, Block(0, 1, 1, codec: 9), "is compressed by codec 9"),
            (Subject, Block(5, 3, 4), "says what cannot be"),
            (Subject, Block(0, 1, 3), "is malformed"),
            (Subject, Block(0, 1, 1, content: 2_000_000_000), "says what cannot be"),
            (Subject, Block(0, 1, 1, codec: 1, content: 2_000_000_000), "says that it has 2000000000 bytes"),
            (Subject, Block(0, 1, 1, codec: 1), "no stream of brotli"),
            ("transport.journal.m1.nothing", good, "is no journal's"),
            ($"transport.journal.m1.{Guid.Empty:N}", good, "says that it is of journal"),
        ];
        var jetStream = new NatsJSContext(fleet.Connection);
        foreach ((string subject, byte[] message, _) in bad)
        {
            _ = await jetStream.PublishAsync(subject, message);
        }

        await Records.AppendAsync(fleet.Journal, 101, 100);
        ReceivedJournal received = await Records.WaitAsync(receiver, fleet.Journal.Id, 200);
        Assert.That(Records.Of(received.Directory), Is.EqualTo(Records.Of(fleet.SourcePath)));
        Assert.That(receiver.Status.Quarantined, Is.EqualTo(bad.Length));
        Assert.That(Directory.GetFiles(Path.Combine(fleet.Folder, "quarantine")), Has.Length.EqualTo(bad.Length));
        Assert.That(
            fleet.Lines.Where(line => line.StartsWith("message ", StringComparison.Ordinal)).Zip(bad, (line, one) => line.Contains(one.Why)
                ? null : $"{line} (expected: {one.Why})").OfType<string>(),
            Is.Empty);
    }

    [Test]
    public async Task A_second_shipper_of_a_journal_and_a_second_receiver_of_a_folder_are_refused()
    {
        await using Fleet fleet = await Fleet.StartAsync();
        await using JournalShipper shipper = fleet.Ship();
        await using JournalReceiver receiver = fleet.Receive();
        Assert.That(
            () => fleet.Ship(), Throws.TypeOf<FleetException>().With.Property(nameof(FleetException.Fault)).EqualTo(FleetFault.InUse));
        Assert.That(
            () => fleet.Receive(), Throws.TypeOf<FleetException>().With.Property(nameof(FleetException.Fault)).EqualTo(FleetFault.InUse));
    }

    [Test]
    public async Task Of_two_receivers_of_one_name_the_first_ends_and_says_why()
    {
        await using Fleet fleet = await Fleet.StartAsync();
        await using JournalShipper shipper = fleet.Ship();
        await using JournalReceiver first = fleet.Receive();
        await Records.AppendAsync(fleet.Journal, 1, 10);
        _ = await Records.WaitAsync(first, fleet.Journal.Id, 10);
        await using JournalReceiver second = JournalReceiver.Start(
            fleet.Connection, fleet.Folder + "2", new ReceiverOptions { Report = fleet.Lines.Enqueue });
        await Records.UntilAsync(() => first.Completion.IsCompleted, () => $"{first.Status}");
        Assert.That(() => first.Completion, Throws.TypeOf<FleetException>()
            .With.Property(nameof(FleetException.Fault)).EqualTo(FleetFault.InUse).And.Message.Contains("--name"));
    }

    [TestCase("", "has no stream TRANSPORT")]
    [TestCase("memory", "storage = Memory")]
    [TestCase("subjects", "subjects = other.>")]
    [TestCase("retention", "retention = Interest")]
    public async Task A_stream_that_cannot_be_used_is_named_with_what_is_wrong(string which, string expected)
    {
        await using Fleet fleet = await Fleet.StartAsync();
        if (which.Length > 0)
        {
            await new NatsJSContext(fleet.Connection).CreateStreamAsync(
                new StreamConfig("TRANSPORT", [which == "subjects" ? "other.>" : "transport.journal.>"])
                {
                    Storage = which == "memory" ? StreamConfigStorage.Memory : StreamConfigStorage.File,
                    Retention = which == "retention" ? StreamConfigRetention.Interest : StreamConfigRetention.Limits,
                });
        }

        await using JournalShipper shipper = fleet.Ship(options =>
        {
            options.Stream.Create = false;
            options.GiveUpAfter = TimeSpan.FromMilliseconds(1);
        });
        await using JournalReceiver receiver = fleet.Receive(options =>
        {
            options.Stream.Create = false;
            options.GiveUpAfter = TimeSpan.FromMilliseconds(1);
        });
        Assert.That(await EndOf(shipper.Completion), Does.Contain(expected));
        Assert.That(await EndOf(receiver.Completion), Does.Contain(expected));
    }

    [TestCase("max_payload: 512", "takes messages of 512 bytes at most")]
    [TestCase("authorization { user: a, password: b }", "Authorization Violation")]
    public async Task A_server_that_cannot_be_used_is_named_with_what_is_wrong(string settings, string expected)
    {
        bool isOpen = !settings.StartsWith("auth", StringComparison.Ordinal);
        await using NatsServer server = await NatsServer.StartAsync(settings, isOpen);
        await using NatsConnection connection = server.Connect();
        using var folder = new Testing.TemporaryFolder();
        var options = new ReceiverOptions { Stream = { Create = true }, GiveUpAfter = TimeSpan.FromMilliseconds(1) };
        await using JournalReceiver receiver = JournalReceiver.Start(connection, Path.Combine(folder.Path, "received"), options);
        Assert.That(await EndOf(receiver.Completion), Does.Contain(expected));
    }

    [Test]
    public async Task A_received_folder_without_its_origin_is_refused_and_nothing_is_written()
    {
        await using Fleet fleet = await Fleet.StartAsync();
        await using JournalShipper shipper = fleet.Ship();
        string directory;
        await using (JournalReceiver receiver = fleet.Receive())
        {
            await Records.AppendAsync(fleet.Journal, 1, 10);
            directory = (await Records.WaitAsync(receiver, fleet.Journal.Id, 10)).Directory;
        }

        File.Delete(Path.Combine(directory, "origin"));
        await Records.AppendAsync(fleet.Journal, 11, 10);
        await using JournalReceiver again = fleet.Receive();
        Assert.That(await EndOf(again.Completion), Does.Contain("origin").And.Contain("Receive into another folder"));
        Assert.That(Records.Of(directory), Has.Count.EqualTo(10));
    }

    private static async Task<string> EndOf(Task completion)
    {
        await Records.UntilAsync(() => completion.IsCompleted, () => "it has not ended");
        return completion.Exception!.InnerException!.Message;
    }

    private static byte[] Changed(byte[] block, int at, byte value)
    {
        byte[] copy = [.. block];
        copy[at] = value;
        return copy;
    }

    /// <summary>A block with one packet, whatever its header says of it.</summary>
    private static byte[] Block(long previous, long first, long last, int codec = 0, int? content = null)
    {
        byte[] block = new byte[BlockHeader.Size + BlockRecord.HeadSize + 3];
        BlockRecord.Write(new JournalRecord(first, DateTimeOffset.UnixEpoch, "n1", 1024, new byte[] { 1 }), block.AsSpan(BlockHeader.Size));
        var header = new BlockHeader(
            Id, previous, first, last, (int)(last - first + 1), content ?? (block.Length - BlockHeader.Size), 0, 1, codec == 1);
        header.Write(block);
        if (codec > 1)
        {
            block[6] = (byte)codec;
            BinaryPrimitives.WriteUInt32LittleEndian(block.AsSpan(60), Crc32C.Of(Crc32C.Of(0, block.AsSpan(0, 60)), block.AsSpan(64)));
        }

        return block;
    }
}
