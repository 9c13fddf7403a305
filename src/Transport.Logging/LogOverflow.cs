using System;

namespace Transport.Logging;

/// <summary>What a logger does with an event that finds no capacity in the link's queue.</summary>
public readonly struct LogOverflow : IEquatable<LogOverflow>
{
    private LogOverflow(TimeSpan timeout) => Timeout = timeout;

    /// <summary>
    /// Gets the choice to drop the event at once: the log call never blocks. Lower levels are dropped first. This is the default.
    /// </summary>
    public static LogOverflow Drop => default;

    /// <summary>Gets how long the log call waits for capacity; zero for <see cref="Drop"/>.</summary>
    public TimeSpan Timeout { get; }

    /// <summary>Compares two choices.</summary>
    /// <param name="left">One.</param>
    /// <param name="right">The other.</param>
    /// <returns>Whether they are the same.</returns>
    public static bool operator ==(LogOverflow left, LogOverflow right) => left.Equals(right);

    /// <summary>Compares two choices.</summary>
    /// <param name="left">One.</param>
    /// <param name="right">The other.</param>
    /// <returns>Whether they differ.</returns>
    public static bool operator !=(LogOverflow left, LogOverflow right) => !left.Equals(right);

    /// <summary>Blocks the log call until there is capacity, for at most a timeout; only then the event is dropped.</summary>
    /// <param name="timeout">More than zero, or <see cref="System.Threading.Timeout.InfiniteTimeSpan"/>: as long as the link lives.</param>
    /// <returns>The choice.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The timeout is zero or negative.</exception>
    /// <remarks>Do not choose this if a handler of the same link logs: while it waits, nothing is read.</remarks>
    public static LogOverflow Wait(TimeSpan timeout)
    {
        if (timeout <= TimeSpan.Zero && timeout != System.Threading.Timeout.InfiniteTimeSpan)
        {
            throw new ArgumentOutOfRangeException(nameof(timeout), timeout, "The timeout must be positive or infinite.");
        }

        return new LogOverflow(timeout == System.Threading.Timeout.InfiniteTimeSpan ? TimeSpan.MaxValue : timeout);
    }

    /// <inheritdoc/>
    public bool Equals(LogOverflow other) => Timeout == other.Timeout;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is LogOverflow other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => Timeout.GetHashCode();

    /// <inheritdoc/>
    public override string ToString() => Timeout == TimeSpan.Zero ? nameof(Drop) : $"{nameof(Wait)}({Timeout})";
}
