using NUnit.Framework;
using Transport.Testing.Wires;

namespace Transport.Conformance.Wires;

[TestFixture]
[Platform(Exclude = "Win", Reason = "Unix domain sockets are for Unix.")]
internal sealed class UnixSocketWireConformance : WireConformance
{
    protected override string Kind => WireKinds.Unix;
}

[TestFixture]
internal sealed class NamedPipeWireConformance : WireConformance
{
    protected override string Kind => WireKinds.Pipe;
}

[TestFixture]
[Platform(Exclude = "Win", Reason = "Inherited pipes are for Unix.")]
internal sealed class InheritedWireConformance : WireConformance
{
    protected override string Kind => WireKinds.Inherited;
}

[TestFixture]
internal sealed class MemoryWireConformance : WireConformance
{
    protected override string Kind => WireKinds.Memory;
}

/// <summary>Every read gives one byte: who takes a short read for the end of the stream fails here.</summary>
[TestFixture(WireKinds.Unix)]
[TestFixture(WireKinds.Pipe)]
[TestFixture(WireKinds.Inherited)]
[TestFixture(WireKinds.Memory)]
internal sealed class DribblingWireConformance(string kind) : WireConformance
{
    protected override string Kind => kind;

    protected override int Large => 20_000;

    protected override int LookedAt => 64 << 10;

    protected override IWire Wrap(IWire wire) => new FaultyWire(wire, FaultPlan.Dribble);
}
