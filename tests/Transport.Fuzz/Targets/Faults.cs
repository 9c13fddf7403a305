using System;
using System.Linq;
using Transport.Fuzz.Inputs;

namespace Transport.Fuzz.Targets;

/// <summary>How an input ended: in a value, or in one of the faults that it may end in.</summary>
internal static class Faults
{
    /// <summary>Runs a step.</summary>
    /// <param name="allowed">The faults that it may end in.</param>
    /// <param name="step">The step.</param>
    /// <returns>Null, or the fault with its sentence.</returns>
    /// <exception cref="FuzzFailure">Another fault, or one without a sentence. Exceptions of other kinds go through.</exception>
    public static TransportException? Of(TransportFault[] allowed, Action step)
    {
        try
        {
            step();
            return null;
        }
        catch (TransportException fault)
        {
            return Allowed(allowed, fault);
        }
    }

    /// <summary>Checks a fault that was caught.</summary>
    public static TransportException Allowed(TransportFault[] allowed, TransportException fault)
    {
        FuzzFailure.Unless(allowed.Contains(fault.Fault),
            $"ended in {fault.Fault} ({fault.Message}); allowed are {string.Join(", ", allowed)}");
        FuzzFailure.Unless(fault.Message.Length is > 10 and < 4000, $"{fault.Fault} says {fault.Message.Length} characters");
        return fault;
    }

    /// <summary>A number for a fault whatever the numbers in its sentence.</summary>
    public static ulong Print(TransportException? fault) => fault is null ? 1 : Fingerprint.OfShape(fault.Fault + fault.Message);
}
