using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Microsoft.Extensions.Configuration;

namespace Transport.Hosting;

/// <summary>Reads options from a configuration section, key by key and without reflection. Every wrong key is named in one error.</summary>
/// <typeparam name="TOptions">The options.</typeparam>
/// <param name="section">The section's path, such as <c>Transport:MainNode</c>.</param>
internal sealed class HostOptionsReader<TOptions>(string section)
{
    private readonly SortedDictionary<string, (string Allowed, Func<string, TOptions, bool> TrySet)> _keys =
        new(StringComparer.OrdinalIgnoreCase);

    /// <summary>Adds a key whose value is an integer of 32 bits.</summary>
    public HostOptionsReader<TOptions> Integer(string key, string allowed, Action<TOptions, int> set) => Add(
        key,
        allowed,
        (text, options) =>
        {
            bool isInteger = int.TryParse(text, NumberStyles.Integer, CultureInfo.InvariantCulture, out int value);
            if (isInteger)
            {
                set(options, value);
            }

            return isInteger;
        });

    /// <summary>Adds a key whose value is a time, such as 00:00:30.</summary>
    public HostOptionsReader<TOptions> Time(string key, string allowed, Action<TOptions, TimeSpan> set) => Add(
        key,
        allowed,
        (text, options) =>
        {
            bool isTime = TimeSpan.TryParse(text, CultureInfo.InvariantCulture, out TimeSpan value);
            if (isTime)
            {
                set(options, value);
            }

            return isTime;
        });

    /// <summary>Adds a key whose value is a name of an enumeration.</summary>
    public HostOptionsReader<TOptions> Name<TName>(string key, string allowed, Action<TOptions, TName> set)
        where TName : struct, Enum => Add(
        key,
        allowed,
        (text, options) =>
        {
            bool isName = Enum.TryParse(text, ignoreCase: true, out TName value) && !int.TryParse(text, out _);
            if (isName)
            {
                set(options, value);
            }

            return isName;
        });

    /// <summary>Adds a key whose value is true or false.</summary>
    public HostOptionsReader<TOptions> Flag(string key, Action<TOptions, bool> set) => Add(
        key,
        "true or false",
        (text, options) =>
        {
            bool isFlag = bool.TryParse(text, out bool value);
            if (isFlag)
            {
                set(options, value);
            }

            return isFlag;
        });

    /// <summary>Adds a key whose value is a string.</summary>
    public HostOptionsReader<TOptions> Text(string key, string allowed, Action<TOptions, string> set) => Add(
        key,
        allowed,
        (text, options) =>
        {
            set(options, text);
            return true;
        });

    /// <summary>Reads the section into options.</summary>
    /// <param name="configuration">The configuration; null: nothing is read.</param>
    /// <param name="options">The options.</param>
    /// <param name="check">Checks the options once all keys are read; what it throws for a range is joined to the other errors.</param>
    /// <exception cref="TransportException"><see cref="TransportFault.BadConfiguration"/>: unknown keys or values that cannot be used; the
    /// message names each with what is allowed.</exception>
    public void Read(IConfiguration? configuration, TOptions options, Action<TOptions> check)
    {
        var wrong = new List<string>();
        foreach (IConfigurationSection child in configuration?.GetSection(section).GetChildren() ?? [])
        {
            string name = $"{section}:{child.Key}";
            if (!_keys.TryGetValue(child.Key, out (string Allowed, Func<string, TOptions, bool> TrySet) key))
            {
                wrong.Add($"{name} is no known key, known: {string.Join(", ", _keys.Keys)}");
            }
            else if (child.Value is not { } value || !key.TrySet(value, options))
            {
                wrong.Add($"{name} = {child.Value ?? "(a section)"}, allowed: {key.Allowed}");
            }
        }

        try
        {
            check(options);
        }
        catch (ArgumentException e)
        {
            wrong.Add(e.Message.Split('\n')[0].TrimEnd('\r'));
        }

        if (wrong.Count > 0)
        {
            throw new TransportException(TransportFault.BadConfiguration, $"The configuration cannot be used: {string.Join("; ", wrong)}.");
        }
    }

    private HostOptionsReader<TOptions> Add(string key, string allowed, Func<string, TOptions, bool> trySet)
    {
        _keys.Add(key, (allowed, trySet));
        return this;
    }
}
