using System;
using System.Collections;
using System.Collections.Generic;

namespace Transport.MSBuild;

/// <summary>Events without secrets: values of variables, properties, parameters and metadata with a secret's name, and those values
/// wherever else they stand. One thread.</summary>
/// <remarks>A value is known from the first event that names it on; those of the environment and of the command line from the beginning.
/// Text that a build prints before any event has named the secret in it goes through.</remarks>
internal sealed class SecretMask
{
    /// <summary>The longest value that is searched for addresses and JSON, and the most short values of one event.</summary>
    private const int MostPartsOf = 64 << 10, MostShort = 64;

    private readonly SecretNames _names;
    private readonly SecretValues _values = new();
    private readonly List<string> _short = [];   // values that the event at hand names, too short to be looked for elsewhere

    public SecretMask(SecretNames names) => _names = names;

    /// <summary>Learns the secrets of this process's environment and command line.</summary>
    public void AddOwn()
    {
        foreach (DictionaryEntry variable in Environment.GetEnvironmentVariables())
        {
            Learn((string)variable.Key, variable.Value as string, mayBeKey: true);
            LearnParts(variable.Value as string);
        }

        foreach (string word in Environment.GetCommandLineArgs())
        {
            LearnSwitch(word);
        }
    }

    /// <summary>Gets how many secrets are not looked for because there are too many; 0 if all are.</summary>
    public int Overflow => _values.Overflow;

    /// <returns>The same event if there is nothing to mask in it.</returns>
    public BuildEvent Apply(BuildEvent one)
    {
        _short.Clear();
        Learn(one);
        one = _short.Count > 0 && NamesValues(one.Kind) ? WithoutShort(one) : one;
        object?[] values = one.Values;
        string? message = Masked(one.Message), sender = Masked(one.Sender), keyword = Masked(one.HelpKeyword);
        object?[] fields = Masked(values, mayBeKey: true);
        return ReferenceEquals(fields, values) && ReferenceEquals(message, one.Message) && ReferenceEquals(sender, one.Sender)
            && ReferenceEquals(keyword, one.HelpKeyword) ? one
            : new BuildEvent(one) { Sender = sender, Message = message, HelpKeyword = keyword, Fields = fields };
    }

    private void Learn(BuildEvent one)
    {
        foreach (object? field in one.Values)
        {
            LearnMaps(field, mayBeKey: true);
        }

        LearnPairs(one.Message);

        switch (one.Kind)
        {
            case BuildEventKind.EnvironmentVariableRead when one.Text("EnvironmentVariableName") is { } variable:
                Learn(variable, Environment.GetEnvironmentVariable(variable), mayBeKey: true);
                break;
            case BuildEventKind.PropertyReassignment when one.Text("PropertyName") is { } property:
                Learn(property, one.Text("PreviousValue"), mayBeKey: true);
                Learn(property, one.Text("NewValue"), mayBeKey: true);
                break;
            case BuildEventKind.PropertyInitialValueSet when one.Text("PropertyName") is { } property:
                Learn(property, one.Text("PropertyValue"), mayBeKey: true);
                break;
            case BuildEventKind.TaskParameter:
                LearnParameter(one);
                break;
            default:
                break;
        }

        if (one.Kind == BuildEventKind.Message && one.Message is { } line)
        {
            LearnMessage(line, isOfProject: one.Context is { ProjectContext: > 0 });
        }
    }

    /// <summary>What the build was started with comes as a message of no project, and a property that a target or a task sets as one of its
    /// project, in the build's language: <c>Set Property: Name=value</c>.</summary>
    private void LearnMessage(string line, bool isOfProject)
    {
        int equals = line.IndexOf('=');
        if (equals <= 0)
        {
            return;
        }

        if (!isOfProject)
        {
            foreach (string word in line.Split(' ', '"', '\''))
            {
                LearnSwitch(word);
            }

            return;
        }

        int begin = equals;
        while (begin > 0 && (char.IsLetterOrDigit(line[begin - 1]) || line[begin - 1] is '_' or '-' or '.'))
        {
            begin--;
        }

        int before = begin - 1;
        while (before >= 0 && line[before] == ' ')
        {
            before--;
        }

        string name = line.Substring(begin, equals - begin);
        bool isSet = before >= 0 && (line[before] is ':' or '\uff1a');
        if (name.Length == 0 || (!isSet && _names.KindOf(name) != SecretKind.Secret))
        {
            return;   // most messages: nothing more is cut out of them
        }

        string value = line.Substring(equals + 1).Trim();
        if (isSet)
        {
            Learn(name, value, mayBeKey: true);
            LearnParts(value);
        }
        else
        {
            // Anywhere else a value ends with its word, and what is called a key may be anything.
            int end = value.IndexOfAny([' ', ';', '"', '\'', ',']);
            Learn(name, end < 0 ? value : value.Substring(0, end), mayBeKey: false);
        }
    }

    /// <summary>Learns what is a secret in a value of any name: the password of an address (<c>https://user:password@host</c>), members of
    /// JSON with a secret's name.</summary>
    private void LearnParts(string? value)
    {
        if (value is not { Length: >= SecretValues.ShortestValue and <= MostPartsOf })
        {
            return;
        }

        foreach ((string name, string part) in SecretParts.Of(value))
        {
            if (name.Length == 0)
            {
                AddSecret(part);
            }
            else
            {
                Learn(name, part, mayBeKey: true);
            }
        }
    }

    private static bool NamesValues(BuildEventKind kind) => kind is BuildEventKind.Message or BuildEventKind.TaskParameter
        or BuildEventKind.PropertyReassignment or BuildEventKind.PropertyInitialValueSet or BuildEventKind.EnvironmentVariableRead
        or BuildEventKind.TaskCommandLine;

    /// <summary>The event that names a short secret, without it: in its fields where one is nothing else, in its message as a
    /// word.</summary>
    private BuildEvent WithoutShort(BuildEvent one)
    {
        string? message = one.Message;
        foreach (string value in _short)
        {
            message = message is null ? null : SecretValues.Without(message, value);
        }

        return new BuildEvent(one) { Message = message, Fields = (object?[])WithoutShort(one.Values)! };
    }

    private object? WithoutShort(object? value) => value switch
    {
        string text => _short.Contains(text) ? SecretValues.Mask : text.IndexOf('=') >= 0 ? WithoutShortIn(text) : text,
        object?[] list => Array.ConvertAll(list, WithoutShort),
        _ => value,
    };

    private string WithoutShortIn(string text)
    {
        foreach (string value in _short)
        {
            text = SecretValues.Without(text, value);
        }

        return text;
    }

    /// <summary>A parameter of a task goes by its own name, or by that of the property that it is written to.</summary>
    private void LearnParameter(BuildEvent one)
    {
        foreach (object? item in one.List("Items"))
        {
            string? value = (item as object?[])?[1] as string;
            Learn(one.Text("ParameterName") ?? string.Empty, value, mayBeKey: false);
            Learn(one.Text("PropertyName") ?? string.Empty, value, mayBeKey: true);
        }
    }

    /// <param name="value">A field, or a part of one.</param>
    /// <param name="mayBeKey">Whether a map is one of variables or properties; those in a list are metadata of items.</param>
    private void LearnMaps(object? value, bool mayBeKey)
    {
        if (value is BuildEventMap map)
        {
            foreach (KeyValuePair<string, string?> entry in map.Entries)
            {
                Learn(entry.Key, entry.Value, mayBeKey);
                LearnParts(mayBeKey ? entry.Value : null);
                LearnPairs(entry.Value);
            }
        }
        else if (value is object?[] list)
        {
            foreach (object? one in list)
            {
                LearnMaps(one, mayBeKey: false);
            }
        }
        else
        {
            LearnPairs(value as string);
        }
    }

    /// <summary>Learns what stands as <c>Name=Value</c> inside of a text, whatever the text is called. What is called a key may be anything
    /// there.</summary>
    private void LearnPairs(string? text)
    {
        if (text is not { Length: <= MostPartsOf } || text.IndexOf('=') < 0)
        {
            return;
        }

        foreach ((string name, string value) in SecretParts.Pairs(text))
        {
            Learn(name, value, mayBeKey: false);
        }
    }

    /// <summary>Learns from <c>-p:Name=Value</c> in its many spellings.</summary>
    private void LearnSwitch(string word)
    {
        int equals = word.IndexOf('=');
        if (equals <= 0)
        {
            return;
        }

        int colon = word.IndexOf(':');
        foreach (string part in word.Substring(colon >= 0 && colon < equals ? colon + 1 : 0).Split(';', ','))
        {
            int end = part.IndexOf('=');
            if (end > 0)
            {
                Learn(part.Substring(0, end).TrimStart('-', '/'), part.Substring(end + 1).Trim('"'), mayBeKey: true);
            }
        }
    }

    private void Learn(string name, string? value, bool mayBeKey)
    {
        if (value is { Length: > 0 } && IsSecret(name, value, mayBeKey))
        {
            AddSecret(value);
        }
    }

    private void AddSecret(string value)
    {
        if (value.Length >= SecretValues.ShortestValue)
        {
            _values.Add(value);
        }
        else if (_short.Count < MostShort)
        {
            _short.Add(value);
        }
    }

    private bool IsSecret(string name, string value, bool mayBeKey) => _names.KindOf(name) switch
    {
        SecretKind.Secret => !bool.TryParse(value, out _),
        SecretKind.Key => mayBeKey && !IsWord(value),
        _ => false,
    };

    private static bool IsWord(string value)
    {
        foreach (char c in value)
        {
            if (!char.IsLetter(c))
            {
                return false;
            }
        }

        return true;
    }

    private string? Masked(string? text) => text is null ? null : _values.Without(text);

    private object?[] Masked(object?[] list, bool mayBeKey)
    {
        object?[] masked = list;
        for (int i = 0; i < list.Length; i++)
        {
            object? one = Masked(list[i], mayBeKey);
            if (!ReferenceEquals(one, list[i]))
            {
                masked = ReferenceEquals(masked, list) ? (object?[])list.Clone() : masked;
                masked[i] = one;
            }
        }

        return masked;
    }

    private object? Masked(object? value, bool mayBeKey) => value switch
    {
        string text => _values.Without(text),
        BuildEventMap map => Masked(map, mayBeKey),
        object?[] list => Masked(list, mayBeKey: false),
        _ => value,
    };

    private BuildEventMap Masked(BuildEventMap map, bool mayBeKey)
    {
        ReadOnlySpan<KeyValuePair<string, string?>> entries = map.Entries;
        KeyValuePair<string, string?>[]? masked = null;
        for (int i = 0; i < entries.Length; i++)
        {
            if (entries[i].Value is not { Length: > 0 } text)
            {
                continue;
            }

            string one = IsSecret(entries[i].Key, text, mayBeKey) ? SecretValues.Mask : SecretParts.WithoutPasswords(_values.Without(text));
            if (!ReferenceEquals(one, text))
            {
                masked ??= entries.ToArray();
                masked[i] = new(entries[i].Key, one);
            }
        }

        return masked is null ? map : new BuildEventMap(masked);
    }
}
