using System;
using System.Collections.Generic;
using System.Globalization;

namespace Transport;

/// <summary>Collects what is wrong with options, so that one exception names every value that cannot be used and what is allowed.</summary>
/// <remarks>Not thread-safe: one check is one call.</remarks>
internal sealed class OptionsCheck
{
    private readonly List<string> _wrong;
    private readonly string _prefix;

    /// <summary>Initializes a new instance of the <see cref="OptionsCheck"/> class that has found nothing wrong yet.</summary>
    public OptionsCheck()
        : this(string.Empty, [])
    {
    }

    private OptionsCheck(string prefix, List<string> wrong) => (_prefix, _wrong) = (prefix, wrong);

    /// <summary>Makes a check of options that stand in a property; what it finds wrong is found here too.</summary>
    /// <param name="property">The property's name, which stands before the names of what is wrong.</param>
    /// <returns>The check of the inner options.</returns>
    public OptionsCheck Within(string property) => new($"{_prefix}{property}.", _wrong);

    /// <summary>Notes a value unless it can be used.</summary>
    /// <param name="valid">Says whether it can be used.</param>
    /// <param name="name">The property.</param>
    /// <param name="value">What it is; null is reported as "null".</param>
    /// <param name="allowed">What it may be.</param>
    public void Require(bool valid, string name, object? value, string allowed)
    {
        if (!valid)
        {
            _wrong.Add(string.Format(CultureInfo.InvariantCulture, "{0}{1} = {2}, allowed: {3}", _prefix, name, value ?? "null", allowed));
        }
    }

    /// <summary>Notes a number outside of a range.</summary>
    /// <param name="name">The property.</param>
    /// <param name="value">What it is.</param>
    /// <param name="least">The least that is allowed.</param>
    /// <param name="most">The most that is allowed.</param>
    public void Between(string name, long value, long least, long most) =>
        Require(value >= least && value <= most, name, value, string.Format(CultureInfo.InvariantCulture, "{0:N0} to {1:N0}", least, most));

    /// <summary>Notes a number of bytes outside of a range.</summary>
    /// <param name="name">The property.</param>
    /// <param name="value">What it is.</param>
    /// <param name="least">The least that is allowed.</param>
    /// <param name="most">The most that is allowed.</param>
    public void Bytes(string name, long value, long least, long most) =>
        Require(value >= least && value <= most, name, value, $"{Amount(least)} to {Amount(most)}");

    /// <summary>Notes a time outside of a range.</summary>
    /// <param name="name">The property.</param>
    /// <param name="value">What it is.</param>
    /// <param name="least">The least that is allowed.</param>
    /// <param name="most">The most that is allowed.</param>
    public void Between(string name, TimeSpan value, TimeSpan least, TimeSpan most) =>
        Require(value >= least && value <= most, name, value, $"{least:c} to {most:c}");

    /// <summary>Throws if anything was wrong.</summary>
    /// <param name="parameter">The parameter that gave the options.</param>
    /// <exception cref="ArgumentException">Something is wrong; the message names all of it.</exception>
    public void ThrowIfWrong(string parameter)
    {
        if (_wrong.Count > 0)
        {
            throw new ArgumentException($"These options cannot be used: {string.Join("; ", _wrong)}.", parameter);
        }
    }

    /// <summary>Writes bytes as people do if they are whole KiB, MiB or GiB; other numbers as they are.</summary>
    private static string Amount(long value) => value switch
    {
        > 0 when value % (1 << 30) == 0 => $"{value >> 30} GiB",
        > 0 when value % (1 << 20) == 0 => $"{value >> 20} MiB",
        > 0 when value % (1 << 10) == 0 => $"{value >> 10} KiB",
        _ => value.ToString("N0", CultureInfo.InvariantCulture),
    };
}
