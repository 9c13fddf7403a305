using System;
using System.Collections.Generic;
using System.IO;
using System.Security.Cryptography;
using System.Threading;
using System.Threading.Tasks;
using BuildHarness.Packets;
using Transport;
using Transport.Files;

namespace BuildHarness.Collecting;

/// <summary>The worker's side: reads the files of a project and sends them in chunks, as far as the main node grants, then waits until all
/// is taken. One project at a time, on its caller's thread.</summary>
/// <remarks>Nothing in here awaits: the runtime compiles each awaiting method's machinery anew in every worker, also if it was compiled
/// ahead, which was most of what a worker paid for a small project's outputs.</remarks>
internal sealed class OutputSender : IDisposable
{
    private readonly CreditWindow _credit = new();
    private readonly ManualResetEventSlim _taken = new(initialState: false, spinCount: 1);
    private readonly byte[] _chunk = new byte[CollectWindow.ChunkBytes];
    private readonly IncrementalHash _hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
    private int _project = -1;

    /// <summary>Gets a value indicating whether it waits for credit.</summary>
    public bool Waits => _credit.Waits;

    /// <summary>Adds what the main node says. The link may be connected later.</summary>
    public PacketRouter AddTo(PacketRouter router) => router
        .On<OutputCredit>(credit => _credit.Add(credit.Bytes))
        .On<OutputsTaken>(Taken);

    /// <summary>Sends a project's files. What cannot be read is reported to the main node, which knows what it means; here it is no
    /// fault.</summary>
    /// <exception cref="OperationCanceledException">Cancelled while it waited.</exception>
    public void Send(Link link, int project, IEnumerable<OutputItem> files, CancellationToken cancellation)
    {
        _taken.Reset();
        Volatile.Write(ref _project, project);
        long count = 0, bytes = 0;
        string? error = null;
        string? at = null;
        try
        {
            foreach (OutputItem item in files)
            {
                at = item.Path;
                bytes += Send(link, project, item, cancellation);
                at = null;
                count++;
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            error = at is null ? e.Message : $"{at}: {e.Message}";
        }

        var end = new OutputsEnd(project, count, bytes, error);
        Send(link, OutputsEnd.PacketType, end, CollectWindow.CostOf(end), cancellation);
        _taken.Wait(cancellation);
    }

    public void Dispose()
    {
        _taken.Dispose();
        _hash.Dispose();
    }

    private void Taken(OutputsTaken taken)
    {
        if (taken.Project == Volatile.Read(ref _project))
        {
            _taken.Set();
        }
    }

    /// <summary>Sends a file. A small one is read before anything of it is sent, so that its packets come to the link at once and leave in
    /// one write.</summary>
    private long Send(Link link, int project, OutputItem item, CancellationToken cancellation)
    {
        FileStatus before = FileStatus.Of(item.FullPath);
        using var file = new FileStream(
            item.FullPath, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);
        long sent = 0;
        byte[]? hash = null;
        for (int read; hash is null; sent += read)
        {
            read = file.ReadAtLeast(_chunk, _chunk.Length, throwOnEndOfStream: false);
            _hash.AppendData(_chunk, 0, read);
            if (read < _chunk.Length)
            {
                hash = _hash.GetHashAndReset();
                if (sent + read != before.Length || FileStatus.Of(item.FullPath) != before)
                {
                    throw new IOException("it changed while it was read.");
                }
            }

            if (sent == 0)
            {
                var modified = FileTime.From(new DateTimeOffset(before.Modified, TimeSpan.Zero));
                var begin = new OutputFileBegin(project, item.Path, before.Mode, modified.Seconds, modified.Nanoseconds);
                Send(link, OutputFileBegin.PacketType, begin, CollectWindow.CostOf(item.Path), cancellation);
            }

            if (read > 0)
            {
                Send(link, OutputFileBytes.PacketType, new OutputFileBytes(_chunk.AsMemory(0, read)), CollectWindow.CostOf(read),
                    cancellation);
            }
        }

        var end = new OutputFileEnd(sent, hash);
        Send(link, OutputFileEnd.PacketType, end, CollectWindow.CostOf(end), cancellation);
        return sent;
    }

    private void Send<T>(Link link, PacketType<T> type, T packet, int cost, CancellationToken cancellation)
    {
        _credit.Take(cost, cancellation);

        // Not Send again and again: each deadline that passes would count as a refused packet.
        ValueTask<SendResult> sending = link.SendAsync(type, packet, cancellationToken: cancellation);
        SendResult result = sending.IsCompletedSuccessfully ? sending.Result : sending.AsTask().GetAwaiter().GetResult();
        if (result != SendResult.Queued)
        {
            throw new OperationCanceledException("The link has ended.");
        }
    }
}
