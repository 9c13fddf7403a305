using Transport.Loads.Report;

namespace Transport.Loads.Journals;

/// <summary>One load and who does it beside this library.</summary>
/// <param name="Name">What it is called in the tables.</param>
/// <param name="Ours">What is done with the journal.</param>
/// <param name="Floor">The mode of the floor in C that does the same.</param>
internal sealed record JournalCase(string Name, JournalLoad Ours, string Floor)
{
    /// <summary>Gets redis' policy, its connections and requests on the way in each; null: redis has no part.</summary>
    public (string Sync, int Clients, int Pipelined)? Redis { get; init; }

    /// <summary>Gets the rows of a transaction; null: SQLite has no part.</summary>
    public int? Sqlite { get; init; }

    /// <summary>Gets a value indicating whether a journal with the back end uring takes its turns too.</summary>
    public bool Uring { get; init; }

    /// <summary>Gets how long a round of one column is, in milliseconds.</summary>
    public int Milliseconds { get; init; } = 150;

    /// <summary>Gets a value indicating whether a target speaks of it.</summary>
    public bool Judged => AgainstFloor is not null || AgainstRedis is not null || AgainstSqlite is not null || Uring;

    public Target? AgainstFloor { get; init; }

    public Target? AgainstRedis { get; init; }

    public Target? AgainstSqlite { get; init; }
}
