using System;

namespace Transport.Journal.Tests.Disk;

/// <summary>The simulated machine has no power: no call comes back.</summary>
internal sealed class PowerCut() : Exception("the power is cut");
