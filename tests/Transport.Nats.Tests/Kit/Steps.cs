using System;
using System.Collections.Concurrent;
using Transport.Nats.Helper;

namespace Transport.Nats.Tests.Kit;

/// <summary>Takes reports, one at a time.</summary>
/// <param name="all">Where to.</param>
internal sealed class Steps(ConcurrentQueue<Step> all) : IProgress<Step>
{
    public void Report(Step value) => all.Enqueue(value);
}
