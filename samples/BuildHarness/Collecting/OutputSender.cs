using System;
using System.Collections.Generic;
using System.IO;
using System.Security.Cryptography;
using System.Threading;
using System.Threading.Tasks;
using BuildHarness.Packets;
using Transport.Files;
using Transport.Links;
using Transport.Packets;
using Transport.Receiving;
using Transport.Sending;

namespace BuildHarness.Collecting;

/// <summary>The worker's side: reads the files of a project and sends them in chunks, as far as the main node grants, then waits until all is taken. One project at a time.</summary>
internal sealed class OutputSender : IDisposable
{
    private readonly CreditWindow _credit = new();
    private readonly byte[] _chunk = new byte[CollectWindow.ChunkBytes];
    private readonly IncrementalHash _hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
    private TaskCompletionSource? _taken;

    /// <summary>Adds what the main node says. The link may be connected later.</summary>
    public PacketRouter AddTo(PacketRouter router) => router
        .On(OutputCredit.PacketType, credit => _credit.Add(credit.Bytes))
        .On(OutputsTaken.PacketType, _ => Volatile.Read(ref _taken)?.TrySetResult());

    /// <summary>Sends a project's files. What cannot be read is told to the main node, which knows what it means; here it is no fault.</summary>
    /// <exception cref="OperationCanceledException">Cancelled while it waited.</exception>
    public async Task SendAsync(Link link, int project, IEnumerable<OutputItem> files, CancellationToken cancellation)
    {
        var taken = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Volatile.Write(ref _taken, taken);
        long count = 0, bytes = 0;
        string? error = null;
        string? at = null;
        try
        {
            foreach (OutputItem item in files)
            {
                at = item.Path;
                bytes += await SendAsync(link, project, item, cancellation).ConfigureAwait(false);
                at = null;
                count++;
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            error = at is null ? e.Message : $"{at}: {e.Message}";
        }

        var end = new OutputsEnd(project, count, bytes, error);
        await SendAsync(link, OutputsEnd.PacketType, end, CollectWindow.CostOf(end), cancellation).ConfigureAwait(false);
        await taken.Task.WaitAsync(cancellation).ConfigureAwait(false);
    }

    public void Dispose() => _hash.Dispose();

    private async Task<long> SendAsync(Link link, int project, OutputItem item, CancellationToken cancellation)
    {
        FileStatus before = FileStatus.Of(item.FullPath);
        using var file = new FileStream(item.FullPath, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);
        var modified = FileTime.From(new DateTimeOffset(before.Modified, TimeSpan.Zero));
        var begin = new OutputFileBegin(project, item.Path, before.Mode, modified.Seconds, modified.Nanoseconds);
        await SendAsync(link, OutputFileBegin.PacketType, begin, CollectWindow.CostOf(item.Path), cancellation).ConfigureAwait(false);
        long sent = 0;
        for (int read; (read = file.ReadAtLeast(_chunk, _chunk.Length, throwOnEndOfStream: false)) > 0; sent += read)
        {
            _hash.AppendData(_chunk, 0, read);
            await SendAsync(link, OutputFileBytes.PacketType, new OutputFileBytes(_chunk.AsMemory(0, read)), CollectWindow.CostOf(read), cancellation).ConfigureAwait(false);
        }

        byte[] hash = _hash.GetHashAndReset();
        if (sent != before.Length || FileStatus.Of(item.FullPath) != before)
        {
            throw new IOException("it changed while it was read.");
        }

        var end = new OutputFileEnd(sent, hash);
        await SendAsync(link, OutputFileEnd.PacketType, end, CollectWindow.CostOf(end), cancellation).ConfigureAwait(false);
        return sent;
    }

    private async ValueTask SendAsync<T>(Link link, PacketType<T> type, T packet, int cost, CancellationToken cancellation)
    {
        await _credit.TakeAsync(cost, cancellation).ConfigureAwait(false);
        if (await link.SendAsync(type, packet, cancellation: cancellation).ConfigureAwait(false) != SendResult.Queued)
        {
            throw new OperationCanceledException("The link has ended.");
        }
    }
}
