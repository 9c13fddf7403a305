using System;
using System.Buffers;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Channels;
using System.Threading.Tasks;
using BuildHarness.Packets;
using NATS.Client.Core;
using Transport;

namespace BuildHarness.Farm;

/// <summary>One end of a loan's letters: each is sent until the other end has received it, and handed on once, in order; a server that is
/// restarted or away delays them. Safe from any thread.</summary>
internal sealed class FarmPost : IAsyncDisposable
{
    /// <summary>As many bytes travel at once, besides one letter; a letter with more goes in parts, since a server takes 1 MiB at
    /// most.</summary>
    private const int MostBytes = 256 << 10;

    /// <summary>In place of a letter's type: the rest of it follows.</summary>
    private const int Part = 0;

    private static readonly TimeSpan AnswerTime = TimeSpan.FromSeconds(2), Pause = TimeSpan.FromMilliseconds(200);

    private readonly INatsConnection _connection;
    private readonly string _to;
    private readonly Func<FarmLetter, Task> _take;
    private readonly Action<Exception> _failed;
    private readonly INatsSub<byte[]> _letters;
    private readonly Channel<FarmLetter> _received = Channel.CreateUnbounded<FarmLetter>(new() { SingleReader = true });
    private readonly Lock _gate = new();   // while a letter is added, so that its parts are together
    private readonly Channel<FarmLetter> _sent = Channel.CreateUnbounded<FarmLetter>(new() { SingleReader = true });
    private readonly CancellationTokenSource _ended = new();
    private readonly Task _sending, _receiving, _taking;

    private FarmPost(
        INatsConnection connection, string to, INatsSub<byte[]> letters, Func<FarmLetter, Task> take, Action<Exception> failed)
    {
        (_connection, _to, _letters, _take, _failed) = (connection, to, letters, take, failed);
        _sending = Task.Run(SendAsync);
        _receiving = Task.Run(ReceiveAsync);
        _taking = Task.Run(TakeAsync);
    }

    /// <summary>Opens one end.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="loan">The loan.</param>
    /// <param name="isHome">It is home's end.</param>
    /// <param name="take">Takes a letter; the next comes when its task has ended.</param>
    /// <param name="failed">Called if that fails: no more are taken.</param>
    public static async Task<FarmPost> OpenAsync(
        INatsConnection connection, string loan, bool isHome, Func<FarmLetter, Task> take, Action<Exception> failed)
    {
        INatsSub<byte[]> letters = await connection.SubscribeCoreAsync<byte[]>(
            FarmSettings.LettersTo(loan, isHome), cancellationToken: CancellationToken.None).ConfigureAwait(false);
        return new FarmPost(connection, FarmSettings.LettersTo(loan, !isHome), letters, take, failed);
    }

    /// <summary>Sends a packet, and does not wait for that.</summary>
    /// <param name="type">Its type.</param>
    /// <param name="packet">The packet.</param>
    /// <param name="events">As of <see cref="FarmLetter"/>.</param>
    public void Send<T>(PacketType<T> type, T packet, long events = 0)
    {
        ReadOnlyMemory<byte> body = FarmSettings.Bytes(type, packet);
        lock (_gate)
        {
            for (; body.Length > MostBytes; body = body[MostBytes..])
            {
                _sent.Writer.TryWrite(new FarmLetter(Part, body[..MostBytes], 0));
            }

            _sent.Writer.TryWrite(new FarmLetter(type.Id, body, events));
        }
    }

    /// <summary>Reads a letter's packet.</summary>
    /// <exception cref="TransportException">It is none.</exception>
    public static T Read<T>(PacketType<T> type, FarmLetter letter) => type.Formatter.Read(new ReadOnlySequence<byte>(letter.Body));

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _ended.CancelAsync().ConfigureAwait(false);
        await _letters.DisposeAsync().ConfigureAwait(false);
        await Task.WhenAll(_sending, _receiving, _taking).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _ended.Dispose();
    }

    private async Task SendAsync()
    {
        long first = 1;
        var batch = new List<FarmLetter>();
        while (await _sent.Reader.WaitToReadAsync(_ended.Token).ConfigureAwait(false))
        {
            for (int bytes = 0; bytes < MostBytes && _sent.Reader.TryRead(out FarmLetter? one); bytes += one.Body.Length)
            {
                batch.Add(one);
            }

            byte[] message = FarmSettings.Bytes(FarmLetters.PacketType, new FarmLetters(first, batch));
            while (!await IsReceivedAsync(message, first + batch.Count - 1).ConfigureAwait(false))
            {
                await Task.Delay(Pause, _ended.Token).ConfigureAwait(false);
            }

            first += batch.Count;
            batch.Clear();
        }
    }

    private async Task<bool> IsReceivedAsync(byte[] message, long upto)
    {
        try
        {
            NatsMsg<byte[]> answer = await _connection.RequestAsync<byte[], byte[]>(
                _to, message, replyOpts: new NatsSubOpts { Timeout = AnswerTime }, cancellationToken: _ended.Token).ConfigureAwait(false);
            return FarmSettings.Read(FarmReceived.PacketType, answer.Data) is { } received && received.Upto >= upto;
        }
        catch (Exception e) when (e is NatsException or TimeoutException
            || (e is OperationCanceledException && !_ended.IsCancellationRequested))
        {
            return false;   // again: the other end knows what it has
        }
    }

    private async Task ReceiveAsync()
    {
        long upto = 0;
        await foreach (NatsMsg<byte[]> message in _letters.Msgs.ReadAllAsync(_ended.Token).ConfigureAwait(false))
        {
            if (FarmSettings.Read(FarmLetters.PacketType, message.Data) is not { } letters)
            {
                continue;
            }

            for (int i = 0; i < letters.Letters.Count; i++)
            {
                if (letters.First + i == upto + 1)
                {
                    upto++;
                    _received.Writer.TryWrite(letters.Letters[i]);
                }
            }

            try
            {
                byte[] reply = FarmSettings.Bytes(FarmReceived.PacketType, new FarmReceived(upto));
                await message.ReplyAsync(reply, cancellationToken: _ended.Token).ConfigureAwait(false);
            }
            catch (NatsException)
            {
                // They come again.
            }
        }
    }

    private async Task TakeAsync()
    {
        var before = new ArrayBufferWriter<byte>();
        try
        {
            await foreach (FarmLetter letter in _received.Reader.ReadAllAsync(_ended.Token).ConfigureAwait(false))
            {
                if (letter.Type == Part || before.WrittenCount > 0)
                {
                    before.Write(letter.Body.Span);
                }

                if (letter.Type != Part)
                {
                    FarmLetter whole = before.WrittenCount == 0 ? letter : letter with { Body = before.WrittenSpan.ToArray() };
                    before.Clear();
                    await _take(whole).ConfigureAwait(false);
                }
            }
        }
        catch (Exception e) when (e is TransportException or HarnessException)
        {
            _failed(e);
        }
    }
}
