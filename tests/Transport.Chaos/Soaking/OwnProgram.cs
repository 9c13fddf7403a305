namespace Transport.Chaos.Soaking;

/// <summary>This program, to be started as a worker.</summary>
internal static class OwnProgram
{
    public static WorkerStartOptions Start(string[] arguments)
    {
        var start = WorkerStartOptions.ForThisProgram(arguments);
        start.Environment["DOTNET_EnableDiagnostics"] = "0";
        return start;
    }
}
