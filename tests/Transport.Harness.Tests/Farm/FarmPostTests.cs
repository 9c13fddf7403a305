using System;
using System.Threading.Channels;
using System.Threading.Tasks;
using BuildHarness.Farm;
using BuildHarness.Packets;
using NATS.Client.Core;
using NUnit.Framework;
using Transport.Testing.Servers;
using Transport.Testing.Wires;

namespace BuildHarness.Tests.Farm;

/// <summary>The letters of a loan over a server.</summary>
[TestFixture]
[Platform(Include = "Linux")]
internal sealed class FarmPostTests
{
    /// <summary>A server takes 1 MiB at most; a letter above that was sent again for ever.</summary>
    [Test]
    public async Task Letters_of_any_size_come_in_order_and_whole()
    {
        await using NatsServer server = await NatsServer.StartAsync();
        await using var connection = new NatsConnection(new NatsOpts { Url = server.Url });
        var received = Channel.CreateUnbounded<AnswerProject>();
        await using FarmPost agent = await FarmPost.OpenAsync(connection, "loan", isHome: false, Take, e => received.Writer.TryComplete(e));
        await using FarmPost home = await FarmPost.OpenAsync(connection, "loan", isHome: true, _ => Task.CompletedTask, _ => { });

        int[] sizes = [0, 100, 3_000_000, 10, 262_144, 262_145, 1_500_000, 1];
        for (int i = 0; i < sizes.Length; i++)
        {
            home.Send(AnswerProject.PacketType, new AnswerProject(i, Result(sizes[i])));
        }

        for (int i = 0; i < sizes.Length; i++)
        {
            AnswerProject answer = await received.Reader.ReadAsync().AsTask().Within("the letter");
            Assert.That((answer.Id, answer.Result.Targets[0].Name.Length), Is.EqualTo((i, sizes[i])));
        }

        Task Take(FarmLetter letter)
        {
            received.Writer.TryWrite(FarmPost.Read(AnswerProject.PacketType, letter));
            return Task.CompletedTask;
        }
    }

    [Test]
    public async Task A_letter_that_cannot_be_read_is_reported()
    {
        await using NatsServer server = await NatsServer.StartAsync();
        await using var connection = new NatsConnection(new NatsOpts { Url = server.Url });
        var failed = new TaskCompletionSource<Exception>();
        await using FarmPost agent = await FarmPost.OpenAsync(
            connection, "loan", isHome: false, letter => Task.FromResult(FarmPost.Read(AnswerProject.PacketType, letter)), failed.SetResult);
        await using FarmPost home = await FarmPost.OpenAsync(connection, "loan", isHome: true, _ => Task.CompletedTask, _ => { });
        home.Send(StopWork.PacketType, new StopWork("no answer"));

        Assert.That(await failed.Task.Within("the report"), Is.InstanceOf<Transport.TransportException>());
    }

    private static WorkResult Result(int size) => new(Succeeded: true, [new TargetOutput(new string('x', size), true, [])]);
}
