namespace Transport.Logging;

/// <summary>One of a process's two output streams. The values are those on the wire.</summary>
public enum OutputStream
{
    /// <summary>Standard output.</summary>
    Out = 1,

    /// <summary>Standard error.</summary>
    Error = 2,
}
