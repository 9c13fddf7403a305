using System;
using System.Security.Cryptography;
using BuildHarness.Packets;
using Transport;
using Transport.Files;

namespace BuildHarness.Collecting;

/// <summary>Makes files of what one node sends, each turn in a folder of its own. For the collector's thread.</summary>
/// <param name="node">The node's name, for messages.</param>
internal sealed class OutputTaker(string node) : IDisposable
{
    private readonly IncrementalHash _hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
    private OutputTurn? _turn;
    private OutputFile? _file;
    private string _path = string.Empty;
    private long _files, _bytes, _fileBytes;

    /// <summary>Takes a packet.</summary>
    /// <returns>What has come of a project, if this was the last of it; else null.</returns>
    /// <exception cref="CollectException">It is not what must come here, or not what was sent.</exception>
    /// <exception cref="TransportException">A path is refused, or the output has failed.</exception>
    public CollectedProject? Take(Arrival arrival, FileOutput output)
    {
        if (_turn != arrival.Turn)
        {
            Drop();
            _turn = arrival.Turn;
        }

        switch (arrival.Packet)
        {
            case OutputFileBegin begin:
                Expect(_file is null, "a file began inside another");
                Begin(begin, output);
                return null;
            case OutputFileEnd end:
                Expect(_file is not null, "a file ended that had not begun");
                End(end);
                return null;
            case OutputsEnd { Error: { } error }:
                throw new CollectException($"{_turn!.Title}: {error}");
            case OutputsEnd end:
                Expect(_file is null && end.Files == _files && end.Bytes == _bytes,
                    "other numbers of files and bytes were reported than came");
                var all = new CollectedProject(_turn!, _files, _bytes);
                (_turn, _files, _bytes) = (null, 0, 0);
                return all;
            default:
                Expect(_file is not null, "bytes came outside of a file");
                ReadOnlyMemory<byte> bytes = arrival.Block.AsMemory(0, arrival.Length);
                _hash.AppendData(bytes.Span);
                _fileBytes += bytes.Length;
                _file!.Write(bytes);
                return null;
        }
    }

    /// <summary>Lets go of what is half there: its folder is not published.</summary>
    public void Drop()
    {
        // Not broken off, which would end the whole output: half a file may stand where nobody will look.
        _file?.Complete();
        _file = null;
        _ = _hash.GetHashAndReset();
        (_turn, _files, _bytes) = (null, 0, 0);
    }

    public void Dispose() => _hash.Dispose();

    private void Begin(OutputFileBegin begin, FileOutput output)
    {
        try
        {
            _file = output.Open(_turn!.Folder + "/" + begin.Path, new FileEntry
            {
                Mode = begin.Mode < 0 ? null : begin.Mode,
                Modified = begin.Nanoseconds is >= 0 and < 1_000_000_000 ? new FileTime(begin.Seconds, begin.Nanoseconds) : null,
                Baseline = _turn.Name + "/" + begin.Path,
            });
        }
        catch (TransportException e) when (e.Fault == TransportFault.FilePathRefused)
        {
            throw new CollectException($"{_turn!.Title}: {node} sent a file whose path is refused: "
                + $"{e.Message.Replace($"'{_turn.Folder}/", "'", StringComparison.Ordinal)}");
        }

        _path = begin.Path;
        _fileBytes = 0;
    }

    private void End(OutputFileEnd end)
    {
        byte[] hash = _hash.GetHashAndReset();
        if (end.Bytes != _fileBytes || !end.Sha256.Span.SequenceEqual(hash))
        {
            throw new CollectException($"{_turn!.Title}: {TerminalText.Escape(_path)} came damaged from {node}: {_fileBytes} bytes of "
                + $"{end.Bytes}, and another SHA-256 than it says.");
        }

        _file!.Complete();
        _file = null;
        _files++;
        _bytes += _fileBytes;
    }

    private void Expect(bool isSo, string otherwise)
    {
        if (!isSo)
        {
            throw new CollectException($"{node} does not keep to the order of packets: {otherwise}.");
        }
    }
}
