using Transport.Chaos.Workers;

namespace Transport.Chaos.Soaking;

/// <summary>How a worker's process is to end.</summary>
internal enum Fate
{
    /// <summary>SIGKILL, at any moment.</summary>
    Kill,

    /// <summary>SIGKILL before it has its link.</summary>
    KillEarly,

    /// <summary>SIGTERM.</summary>
    Terminate,

    /// <summary>It leaves without farewell.</summary>
    Leave,

    /// <summary>It shuts its sockets down.</summary>
    CutByWorker,

    /// <summary>The main node aborts the link.</summary>
    CutByMain,

    /// <summary>It closes its link.</summary>
    CloseByWorker,

    /// <summary>The main node closes the link.</summary>
    CloseByMain,
}

/// <summary>What fates mean.</summary>
internal static class Fates
{
    public static bool IsClean(this Fate fate) => fate is Fate.CloseByMain or Fate.CloseByWorker;

    /// <summary>Checks whether its process dies with its link open: then its tail goes on where the stream ends.</summary>
    public static bool IsExit(this Fate fate) => fate is Fate.Kill or Fate.KillEarly or Fate.Terminate or Fate.Leave;

    /// <summary>Gets what the worker does of its own accord.</summary>
    public static ChosenEnd ByWorker(this Fate fate) => fate switch
    {
        Fate.Leave => ChosenEnd.Leave,
        Fate.CutByWorker => ChosenEnd.Cut,
        Fate.CloseByWorker => ChosenEnd.Close,
        _ => ChosenEnd.None,
    };
}
