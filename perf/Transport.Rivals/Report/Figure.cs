namespace Transport.Rivals.Report;

/// <summary>The columns of the tables.</summary>
internal static class Figure
{
    public const string Events = "events/s";
    public const string Cpu = "us CPU an event, both sides";
    public const string Allocated = "B allocated an event, both sides";
    public const string Large = "GB/s of 1 MB packets";
    public const string Ping = "round trip, us";
    public const string PingWorst = "its p99";
    public const string FanIn = "events/s of 8 senders";
    public const string Memory = "MB at most, receiver of 8";
    public const string Lost = "taken and lost, on average";
    public const string LostAtMost = "at most";
    public const string Noticed = "noticed after, ms";
    public const string Longest = "longest call, ms";
    public const string Refused = "answered: not taken";
    public const string Behind = "loop behind, s";
    public const string SenderMemory = "MB at most, sender";
    public const string Start = "process start to first event, ms";
}
