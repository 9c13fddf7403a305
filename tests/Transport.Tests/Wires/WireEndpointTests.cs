using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Wires;

namespace Transport.Tests.Wires;

[TestFixture]
public sealed class WireEndpointTests
{
    [TestCase("unix:/tmp/a.sock", "unix", "/tmp/a.sock")]
    [TestCase("unix:/tmp/a:b.sock", "unix", "/tmp/a:b.sock")]
    [TestCase("pipe:transport-1", "pipe", "transport-1")]
    [TestCase("pipe:/tmp/p.sock", "pipe", "/tmp/p.sock")]
    public void What_is_parsed_is_printed_as_it_came(string text, string kind, string address)
    {
        WireEndpoint endpoint = WireEndpoint.Parse(text);
        Assert.That(endpoint, Is.EqualTo(new WireEndpoint(WireKinds.Of(kind), address)));
        Assert.That(endpoint.ToString(), Is.EqualTo(text));
        Assert.That(WireEndpoint.TryParse(text, out WireEndpoint? same), Is.True);
        Assert.That(same, Is.EqualTo(endpoint));
    }

    [TestCase("", "unix:PATH")]
    [TestCase("nonsense", "'nonsense'")]
    [TestCase("tcp:host:80", "does not support yet")]
    [TestCase("shm:/dev/shm/x", "does not support yet")]
    [TestCase("carrier:pigeon", "no known kind")]
    [TestCase("UNIX:/tmp/x", "no known kind")]
    [TestCase("unix:", "lacks its path")]
    [TestCase("unix:relative/path", "must be absolute")]
    [TestCase("unix:/tmp/a\0b", "lacks its path")]
    [TestCase("pipe:", "lacks its name")]
    [TestCase("pipe:a/b", "absolute path or hold no '/'")]
    [TestCase("memory:x", "no known kind")]
    [Platform(Exclude = "Win", Reason = "Pipe names have other rules there.")]
    public void Anything_else_is_a_bad_endpoint_that_says_what_was_expected(string text, string says)
    {
        var e = Assert.Throws<TransportException>(() => WireEndpoint.Parse(text));
        Assert.That(e!.Fault, Is.EqualTo(TransportFault.BadEndpoint));
        Assert.That(e.Message, Does.Contain(says));
        Assert.That(WireEndpoint.TryParse(text, out _), Is.False);
    }

    [Test]
    public void No_text_is_no_endpoint() => Assert.That(WireEndpoint.TryParse(null, out _), Is.False);

    [TestCase(107, true)]
    [TestCase(108, false)]
    [Platform("Linux")]
    public void A_path_may_take_107_bytes_on_Linux(int bytes, bool fits)
    {
        string path = "/" + new string('x', bytes - 1);
        Assert.That(WireEndpoint.TryParse("unix:" + path, out _), Is.EqualTo(fits));
    }

    [TestCase(107, 107, true)]
    [TestCase(108, 107, false)]
    [TestCase(103, 103, true)]
    [TestCase(104, 103, false)]
    public void The_error_of_a_long_path_counts_bytes_and_names_the_way_out(int bytes, int allowed, bool fits)
    {
        string path = "/" + new string('ä', (bytes - 1) / 2) + new string('x', (bytes - 1) % 2); // Bytes, not characters.
        string? expected = fits ? null : $"The socket path '{path}' takes {bytes} bytes, and this system allows {allowed}. Set "
            + "TRANSPORT_DIR to a folder with a shorter path.";
        Assert.That(SocketPath.Fault(path, allowed), Is.EqualTo(expected));
    }

    [Test]
    public async Task A_kind_without_a_name_is_refused_wherever_it_is_used()
    {
        const WireKind None = (WireKind)7;
        var endpoint = new WireEndpoint(None, "x");
        TransportException? e =
            await Assert.ThrowsAsync<TransportException>(() => WireFactory.ConnectAsync(endpoint, System.TimeSpan.FromSeconds(1), []));
        Assert.That(e!.Fault, Is.EqualTo(TransportFault.BadEndpoint));
        Assert.That(e.Message, Does.Contain("'7:x' is of no known kind"));
        Assert.That(Assert.Throws<TransportException>(() => LinkListener.Start(endpoint))!.Fault, Is.EqualTo(TransportFault.BadEndpoint));
        Assert.Throws<System.ArgumentOutOfRangeException>(() => WireEndpoint.CreatePrivate(None));
        Assert.Throws<System.ArgumentOutOfRangeException>(() => LinkListener.Start(None));
    }

    [TestCase(0)]
    [TestCase(-1)]
    [TestCase(3_000_000)]
    public void A_connect_timeout_is_finite(int seconds)
    {
        var timeout = System.TimeSpan.FromSeconds(seconds);
        Assert.Throws<System.ArgumentOutOfRangeException>(() => _ = WireFactory.ConnectAsync(WireEndpoint.Parse("pipe:x"), timeout, []));
    }
}
