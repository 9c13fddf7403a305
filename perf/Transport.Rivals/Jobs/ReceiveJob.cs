using System;
using System.Diagnostics;
using System.Globalization;
using System.Threading;
using Transport.Loads.Measuring;
using Transport.Loads.Workers;
using Transport.Rivals.Peers;

namespace Transport.Rivals.Jobs;

/// <summary>The receiving end in a process of its own. Orders: <c>address [N]</c>, <c>expect N</c>, <c>wait</c>, <c>lost MS</c>,
/// <c>first</c>, <c>memory</c>.</summary>
internal sealed class ReceiveJob : IJob
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(120);

    private readonly PeerSink _sink;
    private readonly IPeerReceiver _receiver;

    public ReceiveJob(string peer, string what)
    {
        _sink = new PeerSink(what);
        _receiver = PeerList.Named(peer).Listen(_sink);
    }

    public string Run(string[] order)
    {
        switch (order[0])
        {
            case "address":
                return _receiver.AddressFor(order.Length > 1 ? int.Parse(order[1], CultureInfo.InvariantCulture) : 0);
            case "expect":
                _sink.Expect(int.Parse(order[1], CultureInfo.InvariantCulture));
                return string.Empty;
            case "lost":
                // The count settles when the kernel's buffers are empty.
                SpinWait.SpinUntil(() => _sink.LostAt != 0, int.Parse(order[1], CultureInfo.InvariantCulture));
                long count;
                do
                {
                    count = _sink.Count;
                    Thread.Sleep(200);
                }
                while (count != _sink.Count);
                return FormattableString.Invariant($"{count} {_sink.LostAt}");
            case "first":
                SpinWait.SpinUntil(() => _sink.Count > 0, Limit);
                return FormattableString.Invariant($"{_sink.FirstAt}");
            case "memory":
                return FormattableString.Invariant($"{ProcessState.PeakBytes() / 1024}");
            default:
                _sink.WaitForAll(Limit);
                return string.Empty;
        }
    }

    public void Dispose()
    {
        _receiver.Dispose();
        _sink.Dispose();
    }
}
