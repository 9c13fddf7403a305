using System;

namespace BuildHarness.Collecting;

/// <summary>What came cannot be collected; the message is a sentence for a person.</summary>
internal sealed class CollectException(string message) : Exception(message);
