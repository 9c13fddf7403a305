using System.Threading.Tasks;

namespace Transport;

/// <summary>A wire whose input a thread may also wait for itself, without the asynchronous machinery: half the CPU, and one wake less on the way of each answer.</summary>
internal interface IDirectWire : IWire
{
    /// <summary>Reads what has arrived, blocking the calling thread until something has.</summary>
    /// <param name="buffer">Where to put it.</param>
    /// <param name="offset">The first byte to fill.</param>
    /// <param name="count">How many bytes there is room for, at least 1.</param>
    /// <param name="milliseconds">How long to wait at most.</param>
    /// <returns>As <see cref="IWire.ReadAsync"/>; -1 where nothing came in time.</returns>
    /// <exception cref="System.IO.IOException">The stream broke.</exception>
    int Read(byte[] buffer, int offset, int count, int milliseconds);

    /// <summary>Reads what has arrived, without waiting.</summary>
    /// <param name="buffer">Where to put it.</param>
    /// <param name="offset">The first byte to fill.</param>
    /// <param name="count">How many bytes there is room for, at least 1.</param>
    /// <returns>As <see cref="IWire.ReadAsync"/>; -1 where nothing is there.</returns>
    /// <exception cref="System.IO.IOException">The stream broke.</exception>
    int TryRead(byte[] buffer, int offset, int count);

    /// <summary>Waits until a read has something to say. Takes no buffer, so that an idle link needs none, and allocates nothing.</summary>
    /// <returns>Completes when input, the stream's end or a failure is there to be read; now and then without.</returns>
    /// <exception cref="System.IO.IOException">The wire was aborted, or the system does not wait for it.</exception>
    ValueTask WaitAsync();
}
