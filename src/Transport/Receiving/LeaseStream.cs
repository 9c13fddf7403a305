using System;
using System.Buffers;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>The bytes of a packet's body as a stream to read, over the memory on loan: nothing is copied before it is read.</summary>
/// <remarks>One thread. It ends with the loan, so that it cannot be read when the memory is another packet's.</remarks>
internal sealed class LeaseStream(ReadOnlySequence<byte> content, Loan loan) : Stream
{
    private long _position;
    private bool _isDisposed;

    public override bool CanRead => !_isDisposed && !loan.IsOver;

    public override bool CanSeek => CanRead;

    public override bool CanWrite => false;

    public override long Length => Lent().Length;

    public override long Position
    {
        get
        {
            _ = Lent();
            return _position;
        }

        set => _position = value >= 0 && value <= Lent().Length ? value
            : throw new ArgumentOutOfRangeException(nameof(value), value, $"The body has {content.Length} bytes.");
    }

    /// <summary>Returns whether a body begins like a bin.</summary>
    public static bool IsBin(ReadOnlySpan<byte> head) => !head.IsEmpty && head[0] is >= MessagePackCode.Bin8 and <= MessagePackCode.Bin32;

    /// <summary>Makes a stream of what a body holds that is one bin.</summary>
    /// <param name="body">The body.</param>
    /// <param name="loan">How long its memory may be read.</param>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: it is another value.</exception>
    public static LeaseStream OfBin(in ReadOnlySequence<byte> body, Loan loan)
    {
        ReadOnlySpan<byte> head = body.First.Span;
        int width = IsBin(head) ? 1 << (head[0] - MessagePackCode.Bin8) : 0;
        long length = 0;
        for (int i = 1; i <= width && i < head.Length; i++)
        {
            length = (length << 8) | head[i];
        }

        return width > 0 && body.Length == 1 + width + length
            ? new LeaseStream(body.Slice(1 + width), loan)
            : throw new TransportException(
                TransportFault.PacketMalformed,
                $"Expected a body that is one bin, as SendStreamAsync sends it, got {body.Length} bytes that begin with "
                    + $"{(head.IsEmpty ? "nothing" : MessagePackCode.NameOf(head[0]))}.");
    }

    public override int Read(byte[] buffer, int offset, int count)
    {
        ReadOnlySequence<byte> left = Lent().Slice(_position);
        var target = new Span<byte>(buffer, offset, count);
        if (left.Length > target.Length)
        {
            left = left.Slice(0, target.Length);
        }

        left.CopyTo(target);
        loan.ThrowIfOverBehindRead();
        _position += left.Length;
        return (int)left.Length;
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        cancellationToken.IsCancellationRequested
            ? Task.FromCanceled<int>(cancellationToken)
            : Task.FromResult(Read(buffer, offset, count));

    public override long Seek(long offset, SeekOrigin origin) => Position = offset + origin switch
    {
        SeekOrigin.Begin => 0,
        SeekOrigin.Current => _position,
        _ => Lent().Length,
    };

    public override void Flush()
    {
    }

    public override void SetLength(long value) => throw new NotSupportedException("A packet's body is to be read.");

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException("A packet's body is to be read.");

    protected override void Dispose(bool disposing)
    {
        _isDisposed = true;
        base.Dispose(disposing);
    }

    private ReadOnlySequence<byte> Lent()
    {
        loan.ThrowIfOver();
        return !_isDisposed ? content : throw new ObjectDisposedException(nameof(Stream));
    }
}
