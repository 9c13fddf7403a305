namespace Transport;

/// <summary>This process, for the handshake.</summary>
internal static class CurrentProcess
{
    public static int Id { get; } = Find();

    private static int Find()
    {
        using var process = System.Diagnostics.Process.GetCurrentProcess();
        return process.Id;
    }
}
