using System;

namespace Transport;

/// <summary>Why a link ends.</summary>
/// <param name="Fault">The fault; None for a clean end.</param>
/// <param name="Reason">A sentence for a person.</param>
/// <param name="Exception">What was underneath, or null.</param>
internal sealed record LinkCause(TransportFault Fault, string Reason, Exception? Exception = null);
