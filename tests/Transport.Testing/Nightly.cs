using System;
using NUnit.Framework;

namespace Transport.Testing;

/// <summary>Long versions of tests: <c>.ci/nightly</c> runs them; anybody can, with the environment variable TRANSPORT_NIGHTLY=1.</summary>
public static class Nightly
{
    private const string Variable = "TRANSPORT_NIGHTLY";

    /// <summary>Gets a value indicating whether this run is a long one.</summary>
    public static bool IsOn => Environment.GetEnvironmentVariable(Variable) == "1";

    /// <summary>Skips the test unless this run is a long one.</summary>
    /// <param name="reason">What it costs, for the report.</param>
    public static void Only(string reason)
    {
        if (!IsOn)
        {
            Assert.Ignore($"Nightly: {reason}. {Variable}=1 runs it.");
        }
    }

    /// <summary>Returns how often a test repeats itself.</summary>
    /// <param name="nightly">In a long run.</param>
    /// <param name="otherwise">In every other.</param>
    /// <returns>One of the two.</returns>
    public static int Rounds(int nightly, int otherwise) => IsOn ? nightly : otherwise;
}
