namespace Transport;

/// <summary>One map of a receiver's table. Its references are into its own texts, so that it stays what it was when their ids are set
/// again.</summary>
/// <param name="body">The map, with references into <paramref name="texts"/>.</param>
/// <param name="texts">Its texts that stood in the string table.</param>
/// <param name="wireBytes">Its bytes as they came.</param>
internal sealed class TableMap(byte[] body, string[] texts, int wireBytes) : TableSource
{
    public byte[] Body => body;

    public int WireBytes => wireBytes;

    /// <summary>Gets how many arrays and maps stand inside each other in it, itself included.</summary>
    public int Depth { get; } = MessagePackValue.DepthOf(body);

    /// <summary>Gets or sets what a formatter made of it, shared by all packets that refer to it.</summary>
    public object? Made { get; set; }

    /// <summary>Gets or sets a value indicating whether a packet was written out with it: those that come once are not worth keeping
    /// so.</summary>
    public bool IsUsed { get; set; }

    /// <summary>Gets or sets the map with its texts in it, if it is kept so.</summary>
    public byte[]? WrittenOut { get; set; }

    public override string? TextOf(uint id) => id < (uint)texts.Length ? texts[id] : null;

    public override TableMap? MapOf(uint id) => null;
}
