using Transport.Terminal;

namespace BuildHarness;

/// <summary>The harness cannot go on; the message is one sentence for a person and needs no stack trace.</summary>
/// <param name="message">What is wrong, and what to do.</param>
/// <param name="exitCode">The exit code.</param>
internal sealed class HarnessException(string message, int exitCode = ExitCodes.HarnessFault) : ToolException(message, exitCode);
