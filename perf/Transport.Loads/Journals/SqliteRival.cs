using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Runtime.InteropServices;
using Transport.Loads.Measuring;

namespace Transport.Loads.Journals;

/// <summary>A table of packets in SQLite with a write-ahead log and <c>synchronous=FULL</c>: each commit is synced. One connection,
/// prepared statements.</summary>
internal sealed class SqliteRival : IJournalRival
{
    private static readonly IntPtr s_copy = -1;

    private readonly byte[] _body;
    private readonly int _batch;
    private readonly IntPtr _database;
    private readonly IntPtr _insert;
    private readonly IntPtr _begin;
    private readonly IntPtr _commit;

    private SqliteRival(string file, int size, int batch)
    {
        _body = JournalBodies.Make(size);
        _batch = batch;
        Check(SqliteCalls.Open(file, out _database));
        foreach (string sql in (string[])[
            "PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL",
            "CREATE TABLE packets(position INTEGER PRIMARY KEY, time INTEGER, node TEXT, type INTEGER, body BLOB)"])
        {
            Check(SqliteCalls.Execute(_database, sql, 0, 0, 0));
        }

        _insert = Prepare("INSERT INTO packets(time, node, type, body) VALUES(?, 'n1', 256, ?)");
        _begin = Prepare("BEGIN");
        _commit = Prepare("COMMIT");
    }

    /// <summary>Opens a new database; null if there is no SQLite.</summary>
    /// <param name="folder">Where its file goes.</param>
    /// <param name="size">Bytes of a body.</param>
    /// <param name="batch">Rows of a transaction; 1: each row by itself.</param>
    public static SqliteRival? Open(string folder, int size, int batch) =>
        SqliteCalls.Missing() is null ? new SqliteRival(Path.Combine(folder, $"sqlite-{Guid.NewGuid():n}.db"), size, batch) : null;

    public JournalSample Run(int milliseconds)
    {
        var waits = new List<long>(1 << 16);
        Usage before = Usage.Now();
        long until = before.Ticks + (milliseconds * Stopwatch.Frequency / 1000);
        long rows = 0;
        for (long from = Stopwatch.GetTimestamp(); from < until;)
        {
            if (_batch == 1)
            {
                Insert();
            }
            else
            {
                Step(_begin);
                for (int i = 0; i < _batch; i++)
                {
                    Insert();
                }

                Step(_commit);
            }

            rows += _batch;
            long now = Stopwatch.GetTimestamp();
            waits.Add(now - from);
            from = now;
        }

        Usage used = Usage.Now() - before;
        return new JournalSample(rows, used.Seconds, used.CpuMicros, Wait: Distribution.Of([.. waits]));
    }

    public void Dispose()
    {
        foreach (IntPtr statement in (IntPtr[])[_insert, _begin, _commit])
        {
            _ = SqliteCalls.Finish(statement);
        }

        _ = SqliteCalls.Close(_database);
    }

    private void Insert()
    {
        Check(SqliteCalls.Bind(_insert, 1, TimeProvider.System.GetUtcNow().Ticks));
        Check(SqliteCalls.Bind(_insert, 2, _body, _body.Length, s_copy));
        Step(_insert);
    }

    private void Step(IntPtr statement)
    {
        if (SqliteCalls.Step(statement) is not (SqliteCalls.Done or SqliteCalls.Row))
        {
            throw Fault();
        }

        Check(SqliteCalls.Reset(statement));
    }

    private IntPtr Prepare(string sql)
    {
        Check(SqliteCalls.Prepare(_database, sql, -1, out IntPtr statement, 0));
        return statement;
    }

    private void Check(int result)
    {
        if (result != SqliteCalls.Ok)
        {
            throw Fault();
        }
    }

    private LoadException Fault() => new($"sqlite: {Marshal.PtrToStringUTF8(SqliteCalls.Message(_database))}");
}
