namespace Transport.MSBuild;

/// <summary>The codes of the logger's errors (docs/reference/build-logger.md).</summary>
internal static class LoggerCodes
{
    public const string BadParameter = "TRANSPORTLOG1", NoCollector = "TRANSPORTLOG2", EventsLost = "TRANSPORTLOG3";
}
