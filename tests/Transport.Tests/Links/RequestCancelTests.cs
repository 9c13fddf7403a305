using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Tests.Links;

/// <summary>A question that is given up while its Request is on its way into the queue.</summary>
internal sealed class RequestCancelTests
{
    [Test]
    public async Task A_Cancel_follows_its_Request_and_is_sent_only_if_that_was_queued([Values] bool isQueued)
    {
        var link = new SlowLink();
        using var cancel = new CancellationTokenSource();
        Task<string> asked = Ask(link, cancel.Token);
        cancel.Cancel();
        Assert.That(async () => await asked.Within("the cancelled wait"), Throws.InstanceOf<OperationCanceledException>());
        Assert.That(link.Sent, Is.Empty, "the Request is not queued yet");
        if (isQueued)
        {
            link.Queue();
            Assert.That(SpinWait.SpinUntil(() => link.Sent.Count == 2, WithinExtensions.Bound), Is.True);
            Assert.That(link.Sent, Is.EqualTo(new[] { RequestTypes.Request, RequestTypes.Cancel }));
        }
        else
        {
            link.Refuse();
            Assert.That(link.Sent, Is.Empty);
        }
    }

    [Test]
    public async Task A_Cancel_is_tried_once_and_never_waits_for_capacity()
    {
        var link = new SlowLink { HasCapacity = false };
        using var cancel = new CancellationTokenSource();
        Task<string> asked = Ask(link, cancel.Token);
        link.Queue();
        cancel.Cancel();
        Assert.That(async () => await asked.Within("the cancelled wait"), Throws.InstanceOf<OperationCanceledException>());
        Assert.That(SpinWait.SpinUntil(() => link.Refused == 1, WithinExtensions.Bound), Is.True);
        Assert.That((link.Sent, link.Waits), Is.EqualTo((new[] { RequestTypes.Request }, 1)));
    }

    private static Task<string> Ask(SlowLink link, CancellationToken cancellationToken)
    {
        var question = new ArrayWriter();
        TestPackets.Text.Formatter.Write(question, "?");
        return new Requests(link, TimeProvider.System, maxRequests: 1, window: 1024, new LinkCounters())
            .AskAsync(TestPackets.Text, question, TestPackets.Text, timeout: null, Lane.Normal, cancellationToken);
    }

    /// <summary>A link on which a send waits until the test lets it go, whatever its token says, as one whose turn has come.</summary>
    private sealed class SlowLink : IRequestLink
    {
        private readonly TaskCompletionSource<SendResult> _sending = new();
        private readonly object _gate = new();
        private readonly List<ushort> _sent = [];

        public bool HasCapacity { get; set; } = true;

        public int Waits { get; private set; }

        public int Refused { get; private set; }

        public IReadOnlyList<ushort> Sent
        {
            get
            {
                lock (_gate)
                {
                    return [.. _sent];
                }
            }
        }

        public bool PeerStreams => true;

        public ReceiveContext Context => throw new NotSupportedException();

        public void Queue()
        {
            lock (_gate)
            {
                _sent.Add(RequestTypes.Request);
            }

            _sending.SetResult(SendResult.Queued);
        }

        public void Refuse() => _sending.SetCanceled();

        public Task<bool> NoteAsync(Task<bool> waiting) => waiting;

        public ValueTask<SendResult> SendRawAsync(ushort type, ReadOnlyMemory<byte> body, Lane lane, CancellationToken cancellationToken)
        {
            Waits++;
            return new ValueTask<SendResult>(_sending.Task);
        }

        public SendResult TrySendRaw(ushort type, ReadOnlyMemory<byte> body, Lane lane)
        {
            lock (_gate)
            {
                if (HasCapacity)
                {
                    _sent.Add(type);
                    return SendResult.Queued;
                }

                Refused++;
                return SendResult.Full;
            }
        }

        public RequestHandler? FindRequest(int type) => null;

        public void OnRequestFailed(ushort type, string name, Exception thrown)
        {
        }
    }
}
