namespace Transport.NativeTrial;

/// <summary>Worker to main node: one more of many.</summary>
[Packet(1024)]
public sealed partial record Step(int Number, string Name);
