using NUnit.Framework;
using Transport.Generator.Tests.Kit;

namespace Transport.Generator.Tests.Reading;

/// <summary>Which constructor makes an object: none may be chosen that leaves data out if another takes it.</summary>
internal sealed partial class MakingTests
{
    [Test]
    public void A_constructor_without_parameters_gives_way_to_one_that_takes_what_cannot_be_set()
    {
        var sent = new TwoWays(7) { Other = 8 };
        TwoWays came = Bytes.Read(TwoWays.PacketType, Bytes.Of(TwoWays.PacketType, sent));
        Assert.That((came.Number, came.Other), Is.EqualTo((7, 8)));
    }

    [Test]
    public void Private_setters_are_used()
    {
        Hidden came = Bytes.Read(Hidden.PacketType, Bytes.Of(Hidden.PacketType, Hidden.Make(5)));
        Assert.That(came.Number, Is.EqualTo(5));
    }

    [Test]
    public void A_signal_takes_one_byte()
    {
        Assert.That(Bytes.Hex(Signal.PacketType, new Signal()), Is.EqualTo("90"));
        Assert.That(Bytes.Read(Signal.PacketType, [0x91, 0x05]), Is.EqualTo(new Signal()), "what a later version has added is skipped");
    }

    [Packet(2310)]
    internal sealed partial class TwoWays
    {
        public TwoWays()
        {
        }

        public TwoWays(int number) => Number = number;

        public int Number { get; }

        public int Other { get; set; }
    }

    [Packet(2311)]
    internal sealed partial class Hidden
    {
        public int Number { get; private set; }

        public static Hidden Make(int number) => new() { Number = number };
    }

    [Packet(2312)]
    internal sealed partial record Signal;
}
