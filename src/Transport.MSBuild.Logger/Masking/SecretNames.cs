using System;
using System.Collections.Generic;

namespace Transport.MSBuild;

/// <summary>Decides by its name whether the value of a variable or property is a secret. One thread.</summary>
internal sealed class SecretNames
{
    /// <summary>A name with one of these in it is a secret's, whatever stands around it. One that ends with the word key is one if it names
    /// a variable or property: parameters of tasks are called so for other reasons.</summary>
    private static readonly string[] Parts =
    [
        "token", "secret", "password", "passwd", "passphrase", "pwd", "credential", "apikey", "api_key", "accesskey", "access_key",
        "privatekey", "private_key", "connectionstring", "connection_string", "connection-string",
    ];

    /// <summary>Last words of a secret's name: after an underscore always, as in DB_PASS; as the last word of another name where a key
    /// would be one.</summary>
    private static readonly string[] LastWords = ["pat", "auth", "pass"];

    /// <summary>Ends of names whose id is a secret itself.</summary>
    private static readonly string[] SecretIds = ["secret_id", "secretid", "secret-id"];

    /// <summary>What such a name ends with if its value only says where or which the secret is, or for how long.</summary>
    private static readonly string[] Harmless = ["file", "path", "directory", "dir", "folder", "id", "name", "expiry", "timeout"];

    /// <summary>Names that match and are no secrets: working folders, and a part of every assembly's name.</summary>
    private static readonly string[] Known = ["PWD", "OLDPWD", "PublicKeyToken"];

    private const int MostKept = 16 << 10;

    private readonly Dictionary<string, SecretKind> _seen = new(StringComparer.Ordinal);
    private readonly HashSet<string> _more, _less;

    /// <param name="more">Further names of secrets, in any case.</param>
    /// <param name="less">Names that are none, in any case.</param>
    public SecretNames(IEnumerable<string> more, IEnumerable<string> less)
    {
        _more = new HashSet<string>(more, StringComparer.OrdinalIgnoreCase);
        _less = new HashSet<string>([.. less, .. Known], StringComparer.OrdinalIgnoreCase);
    }

    /// <summary>Whether a value of this name is a secret. A build repeats few names many times, so answers are kept.</summary>
    public SecretKind KindOf(string name)
    {
        if (!_seen.TryGetValue(name, out SecretKind kind))
        {
            kind = Decide(name);
            if (_seen.Count < MostKept)
            {
                _seen[name] = kind;
            }
        }

        return kind;
    }

    private SecretKind Decide(string name)
    {
        if (_more.Contains(name))
        {
            return SecretKind.Secret;
        }

        if (_less.Contains(name))
        {
            return SecretKind.None;
        }

        if (Array.Exists(SecretIds, end => name.EndsWith(end, StringComparison.OrdinalIgnoreCase)))
        {
            return SecretKind.Secret;
        }

        if (EndsHarmless(name))
        {
            return SecretKind.None;
        }

        foreach (string part in Parts)
        {
            if (name.IndexOf(part, StringComparison.OrdinalIgnoreCase) >= 0)
            {
                return SecretKind.Secret;
            }
        }

        foreach (string word in LastWords)
        {
            if (EndsWithWord(name, word))
            {
                return name.EndsWith("_" + word, StringComparison.OrdinalIgnoreCase) ? SecretKind.Secret : SecretKind.Key;
            }
        }

        return EndsWithWord(name, "key") || EndsWithWord(name, "keys") ? SecretKind.Key : SecretKind.None;
    }

    private static bool EndsHarmless(string name)
    {
        foreach (string end in Harmless)
        {
            if (EndsWithWord(name, end))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Whether a name ends with a word: <c>SIGNING_KEY</c> and <c>SigningKey</c> do, <c>Monkey</c> does not.</summary>
    private static bool EndsWithWord(string name, string word)
    {
        int start = name.Length - word.Length;
        if (start < 0 || !name.EndsWith(word, StringComparison.OrdinalIgnoreCase))
        {
            return false;
        }

        return start == 0 || !char.IsLetter(name[start - 1]) || (char.IsUpper(name[start]) && char.IsLower(name[start - 1]));
    }
}
