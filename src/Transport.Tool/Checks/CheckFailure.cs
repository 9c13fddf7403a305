using System;

namespace Transport.Tool;

/// <summary>A worker does not do what the protocol asks; the message says what was expected and what arrived.</summary>
internal sealed class CheckFailure(string message) : Exception(message);
