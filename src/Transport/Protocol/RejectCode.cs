namespace Transport;

/// <summary>The words of Reject (PROTOCOL.md), in the order of the checks.</summary>
internal static class RejectCode
{
    public const string Identity = "identity";
    public const string Malformed = "malformed";
    public const string Secret = "secret";
    public const string Protocol = "protocol";
    public const string Version = "version";
    public const string Busy = "busy";
}
