using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using Transport.MSBuild;

namespace BuildHarness.Replay;

/// <summary>
/// One SHA-256 over every field of every event in the order in which they are added. Each value goes in with its kind and length, so that
/// no two different sequences of events give the same bytes. One thread.
/// </summary>
internal sealed class BuildEventHash : IDisposable
{
    private readonly IncrementalHash _hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
    private readonly byte[] _buffer = new byte[32 << 10];
    private int _used;

    /// <summary>Gets how many events were added.</summary>
    public long Events { get; private set; }

    /// <summary>Adds an event.</summary>
    /// <param name="one">The event.</param>
    /// <exception cref="ArgumentNullException"><paramref name="one"/> is null.</exception>
    public void Add(BuildEvent one)
    {
        ArgumentNullException.ThrowIfNull(one);
        Events++;
        Number('K', (int)one.Kind);
        Text(one.TypeName);
        Number('T', one.Ticks);
        Number('Z', (int)one.TimeKind);
        Number('H', one.ThreadId);
        Text(one.Sender);
        Text(one.Message);
        Text(one.HelpKeyword);
        if (one.Context is { } ids)
        {
            Number('C', ids.Submission);
            Number('C', ids.Node);
            Number('C', ids.Evaluation);
            Number('C', ids.ProjectInstance);
            Number('C', ids.ProjectContext);
            Number('C', ids.Target);
            Number('C', ids.Task);
        }
        else
        {
            Tag('c');
        }

        Value(one.Fields);
    }

    /// <summary>Adds a packet that is no build event, as its bytes.</summary>
    /// <param name="type">Its type.</param>
    /// <param name="body">Its body; not kept.</param>
    public void Add(ushort type, ReadOnlySpan<byte> body)
    {
        Events++;
        Number('P', type);
        Number('b', body.Length);
        Bytes(body);
    }

    /// <summary>Ends the hash; nothing may be added afterwards.</summary>
    /// <returns>64 lower-case hex digits.</returns>
    public string Finish()
    {
        Flush();
        return Convert.ToHexStringLower(_hash.GetHashAndReset());
    }

    /// <summary>Frees the hash. Never throws.</summary>
    public void Dispose() => _hash.Dispose();

    private void Value(object? value)
    {
        switch (value)
        {
            case null:
                Tag('n');
                break;
            case string text:
                Text(text);
                break;
            case bool flag:
                Tag(flag ? 't' : 'f');
                break;
            case long number:
                Number('i', number);
                break;
            case double number:
                Number('d', BitConverter.DoubleToInt64Bits(number));
                break;
            case byte[] bytes:
                Number('b', bytes.Length);
                Bytes(bytes);
                break;
            case BuildEventMap map:
                Number('m', map.Count);
                foreach ((string name, string? text) in map.Entries)
                {
                    Text(name);
                    Text(text);
                }

                break;
            case IReadOnlyList<object?> list:
                Number('a', list.Count);
                foreach (object? one in list)
                {
                    Value(one);
                }

                break;
            default:
                throw new InvalidOperationException($"{value.GetType()} is no value of an event.");
        }
    }

    private void Text(string? text)
    {
        if (text is null)
        {
            Tag('n');
            return;
        }

        Number('s', text.Length);
        Bytes(MemoryMarshal.AsBytes(text.AsSpan()));
    }

    private void Tag(char tag)
    {
        if (_used == _buffer.Length)
        {
            Flush();
        }

        _buffer[_used++] = (byte)tag;
    }

    private void Number(char tag, long value)
    {
        if (_buffer.Length - _used < 9)
        {
            Flush();
        }

        _buffer[_used] = (byte)tag;
        BinaryPrimitives.WriteInt64LittleEndian(_buffer.AsSpan(_used + 1), value);
        _used += 9;
    }

    private void Bytes(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length > _buffer.Length - _used)
        {
            Flush();
            if (bytes.Length > _buffer.Length)
            {
                _hash.AppendData(bytes);
                return;
            }
        }

        bytes.CopyTo(_buffer.AsSpan(_used));
        _used += bytes.Length;
    }

    private void Flush()
    {
        _hash.AppendData(_buffer, 0, _used);
        _used = 0;
    }
}
