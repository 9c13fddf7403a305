namespace Transport.Chaos.Days;

/// <summary>What a worker does with a request.</summary>
internal enum AskKind
{
    /// <summary>Answers after its time.</summary>
    Answer,

    /// <summary>Throws after its time.</summary>
    Throw,

    /// <summary>Ends its process after its time, without a word.</summary>
    Die,

    /// <summary>Answers only when it is cancelled, and then not.</summary>
    Hang,
}

/// <summary>Main node to worker.</summary>
/// <param name="Id">Which.</param>
/// <param name="Ms">How long it takes.</param>
/// <param name="Kind">What comes of it.</param>
[Packet(2101)]
internal sealed partial record Ask(int Id, int Ms, AskKind Kind) : IRequest<Told>;

/// <summary>The response to <see cref="Ask"/>.</summary>
/// <param name="Id">Which.</param>
/// <param name="Process">Who.</param>
[Packet(2102)]
internal sealed partial record Told(int Id, int Process);

/// <summary>Main node to worker.</summary>
/// <param name="Number">Which.</param>
[Packet(2103)]
internal sealed partial record News(int Number);

/// <summary>A request for a stream.</summary>
/// <param name="Id">Which.</param>
/// <param name="Items">How many.</param>
/// <param name="PauseMs">Before each.</param>
/// <param name="Bytes">Of each.</param>
/// <param name="FailsAt">The item instead of which it throws.</param>
[Packet(2104)]
internal sealed partial record Walk(int Id, int Items, int PauseMs, int Bytes, int FailsAt) : IStreamRequest<Found>;

/// <summary>An item of <see cref="Walk"/>.</summary>
/// <param name="Id">Of the request.</param>
/// <param name="Number">Which item.</param>
/// <param name="Content">Its bytes.</param>
[Packet(2105)]
internal sealed partial record Found(int Id, int Number, byte[] Content);

/// <summary>A request with progress.</summary>
/// <param name="Id">Which.</param>
/// <param name="Steps">How many.</param>
/// <param name="PauseMs">Before each.</param>
/// <param name="FailsAt">The step at which it throws.</param>
[Packet(2106)]
internal sealed partial record Work(int Id, int Steps, int PauseMs, int FailsAt) : IRequest<Worked>;

/// <summary>The response to <see cref="Work"/>.</summary>
/// <param name="Id">Which.</param>
[Packet(2107)]
internal sealed partial record Worked(int Id);

/// <summary>The progress of <see cref="Work"/>.</summary>
/// <param name="Id">Of the request.</param>
/// <param name="Step">Which step.</param>
[Packet(2108)]
internal sealed partial record Done(int Id, int Step);
