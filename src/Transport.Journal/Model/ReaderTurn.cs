using System.Threading;

namespace Transport.Journal;

/// <summary>How often a reader has gone on: a record of an earlier turn has lost its body.</summary>
internal sealed class ReaderTurn
{
    private long _now;   // raised by the thread that reads, before a record's memory is used again; read by who holds the record

    public long Now => Volatile.Read(ref _now);

    public void GoOn() => Volatile.Write(ref _now, _now + 1);
}
