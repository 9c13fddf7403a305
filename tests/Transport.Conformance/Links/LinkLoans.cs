using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>What is kept of a packet's bytes on loan is those bytes, or throws: never another packet's.</summary>
[TestFixtureSource(typeof(WireKinds), nameof(WireKinds.All))]
internal sealed class LinkLoans(string wire)
{
    private const ushort AtOnce = 2000, Later = 2001;

    private readonly List<Func<byte[]>> _kept = [];
    private int _handled, _wrong, _alive;
    private Random _random = new(0);

    /// <summary>Handlers kept packets in a list, and read other packets' bytes behind the exit, with a clean report.</summary>
    [Test]
    public async Task What_is_kept_of_a_loan_throws_and_is_never_another_packet([Values] bool isStored)
    {
        int seed = Environment.TickCount;
        TestContext.Out.WriteLine($"seed {seed}");
        _random = new Random(seed);
        _kept.Clear();
        (_handled, _wrong, _alive) = (0, 0, 0);
        var sizes = new Random(seed + 1);
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        PacketRouter router = new PacketRouter().OnRaw(AtOnce, Take).OnRaw(Later, packet => TakeLaterAsync(packet.Lease()));
        rig.Main.Start(isStored ? router.UseStore(new KeepingStore(this)) : router);
        rig.Worker.Start(new PacketRouter());
        for (int i = 0; i < 400; i++)
        {
            byte[] body = Body(i, sizes.Next(20) == 0 ? sizes.Next(400_000) : sizes.Next(2_000));
            Assert.That(await rig.Worker.SendRawAsync(i % 3 == 0 ? Later : AtOnce, body), Is.EqualTo(SendResult.Queued));
        }

        Assert.That((await rig.Worker.CloseAsync().Within("the close")).IsClean, Is.True);
        Assert.That((await rig.Main.Completion.Within("the other end")).IsClean, Is.True);
        LookAtAll();
        Assert.That((_handled, _wrong, _alive, _kept.Count > 300), Is.EqualTo((400, 0, 0, true)));
    }

    /// <summary>One bin: its number, and bytes that follow from it.</summary>
    private static byte[] Body(int number, int size)
    {
        byte[] content = [.. BitConverter.GetBytes(number), .. WireReading.Pattern(size, number)];
        return Bodies.Value(content);
    }

    private static bool IsWhole(ReadOnlySpan<byte> body)
    {
        int head = body[0] == 0xc4 ? 2 : body[0] == 0xc5 ? 3 : 5;
        byte[] content = body.Slice(head).ToArray();
        return content.AsSpan(4).SequenceEqual(WireReading.Pattern(content.Length - 4, BitConverter.ToInt32(content, 0)));
    }

    private void Take(RawPacket packet)
    {
        LookAtAll();
        Judge(packet.Body);
        Keep(packet);
        _handled++;
    }

    /// <summary>A packet that another thread holds on its stack, as one may that takes it from a lease, is over with the loan too.</summary>
    [Test]
    public async Task A_packet_on_the_stack_of_another_thread_is_over_with_its_loan()
    {
        using var taken = new ManualResetEventSlim();
        using var over = new ManualResetEventSlim();
        Task<string>? holding = null;
        string Hold(PacketLease lease)
        {
            RawPacket packet = lease.Packet;
            taken.Set();
            over.Wait(WithinExtensions.Bound);
            string said = string.Empty;
            try
            {
                said += IsWhole(packet.Body);
            }
            catch (ObjectDisposedException)
            {
                said += "over ";
            }

            PacketLease again = packet.Lease();
            Assert.That(() => again.Body, Throws.InstanceOf<ObjectDisposedException>());
            Assert.That(() => again.Packet.OpenStream(), Throws.InstanceOf<ObjectDisposedException>());
            return said + again;
        }

        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        rig.Main.Start(new PacketRouter()
            .OnRaw(AtOnce, packet =>
            {
                PacketLease lease = packet.Lease();
                holding = Task.Run(() => Hold(lease));
                taken.Wait(WithinExtensions.Bound);
            })
            .OnRaw(Later, _ => over.Set()));
        rig.Worker.Start(new PacketRouter());
        _ = rig.Worker.TrySendRaw(AtOnce, Body(1, 100));
        _ = rig.Worker.TrySendRaw(Later, Body(2, 100));
        Assert.That((await rig.Worker.CloseAsync().Within("the close")).IsClean, Is.True);
        Assert.That(await holding!.Within("the other thread"), Is.EqualTo("over a packet whose loan is over"));
    }

    /// <summary>Who changes where a packet is said to come from, as a store in front of another one does, does not lengthen its loan.</summary>
    [Test]
    public async Task Neither_another_context_nor_a_handler_that_throws_lengthens_a_loan()
    {
        var kept = new List<PacketLease>();
        string? node = null;
        await using LinkRig rig = await LinkRig.OpenAsync(wire, main => main.EndOnHandlerFailure = false);
        rig.Main.Start(new PacketRouter().OnRaw(AtOnce, (RawPacketHandler)(packet =>
        {
            RawPacket renamed = packet with { Context = new PacketContext(packet.Context.Sender, "alias") };
            kept.AddRange([renamed.Lease(), (packet with { Context = default }).Lease(), packet.Lease()]);
            node = renamed.Context.Node;
            throw new InvalidOperationException("on purpose");
        })));
        rig.Worker.Start(new PacketRouter());
        _ = rig.Worker.TrySendRaw(AtOnce, Body(1, 100));
        Assert.That((await rig.Worker.CloseAsync().Within("the close")).IsClean, Is.True);
        await rig.Main.Completion.Within("the other end");
        Assert.That((kept.Count, node), Is.EqualTo((3, "alias")));
        kept.ForEach(lease => Assert.That(() => lease.Body, Throws.InstanceOf<ObjectDisposedException>()));
        PacketLease own = new RawPacket(AtOnce, Lane.Normal, Body(3, 5)).Lease();
        Assert.That(IsWhole(own.Packet.Body), Is.True, "memory of the caller's own has no end");
    }

    private async Task TakeLaterAsync(PacketLease packet)
    {
        LookAtAll();
        Keep(packet.Packet);
        for (int i = 0; i < 3; i++)
        {
            await Task.Yield();
            Judge(i == 0 ? packet.Packet.Body : packet.Body.Span);
        }

        _handled++;
    }

    private void Judge(ReadOnlySpan<byte> body) => _wrong += IsWhole(body) ? 0 : 1;

    private void Keep(in RawPacket packet)
    {
        PacketLease lease = packet.Lease();
        switch (_random.Next(4))
        {
            case 0:
                _kept.Add(() => lease.Packet.ToArray());
                break;
            case 1:
                ReadOnlyMemory<byte> memory = lease.Body;
                _kept.Add(() => memory.ToArray());
                break;
            case 2:
                Stream stream = packet.OpenStream();
                _kept.Add(() => stream.CanRead || stream.Length > 0 || stream.ReadByte() >= 0 ? [1] : []);
                break;
            default:
                _kept.Add(() => lease.Body.Span.ToArray());
                break;
        }
    }

    /// <summary>None of what was kept before gives a byte any more; a few at a time, the last among them.</summary>
    private void LookAtAll()
    {
        for (int i = Math.Max(0, _kept.Count - 8); i < _kept.Count; i++)
        {
            Look(_kept[i]);
        }

        if (_kept.Count > 0)
        {
            Look(_kept[_random.Next(_kept.Count)]);
        }
    }

    private void Look(Func<byte[]> kept)
    {
        try
        {
            _ = kept();
            _alive++;
        }
        catch (ObjectDisposedException)
        {
        }
    }

    /// <summary>A store that keeps what it should copy.</summary>
    private sealed class KeepingStore(LinkLoans test) : IPacketStore
    {
        private PacketLease? _last;

        public ValueTask AppendAsync(RawPacket packet, CancellationToken cancellationToken)
        {
            if (_last is { } last)
            {
                test.Look(() => last.Packet.ToArray());
            }

            _last = packet.Lease();
            test.Judge(packet.Body);
            return default;
        }

        public ValueTask FlushAsync(CancellationToken cancellationToken) => default;
    }
}
