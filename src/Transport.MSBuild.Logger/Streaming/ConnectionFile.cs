using System;
using System.Collections.Generic;
using System.IO;
using System.Text;

namespace Transport.MSBuild;

/// <summary>What a logger needs to reach its collector: a file of this user alone (0600), since a command line and an environment are read
/// by others. Lines <c>name=value</c>: endpoint, secret, tail (docs/reference/build-logger.md). Immutable.</summary>
internal sealed class ConnectionFile
{
    private const string EndpointName = "endpoint", SecretName = "secret", TailName = "tail";
    private const int MostBytes = 16 << 10;

    public ConnectionFile(WireEndpoint endpoint, LinkSecret secret, string? tail)
    {
        Endpoint = endpoint;
        Secret = secret;
        Tail = tail;
    }

    public WireEndpoint Endpoint { get; }

    /// <summary>Gets the secret, which is good for one connection: the collector writes the file anew after each.</summary>
    public LinkSecret Secret { get; }

    /// <summary>Gets the file of the crash tail; null: none.</summary>
    public string? Tail { get; }

    public string Text => $"{EndpointName}={Endpoint}\n{SecretName}={Secret.Reveal()}\n{TailName}={Tail}\n";

    /// <exception cref="IOException">It is not there or cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be read.</exception>
    /// <exception cref="FormatException">It is no such file; the message does not repeat what is in it.</exception>
    public static ConnectionFile Read(string path)
    {
        using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        if (file.Length > MostBytes)
        {
            throw new FormatException($"it has {file.Length} bytes, expected at most {MostBytes}");
        }

        using var reader = new StreamReader(file, Encoding.UTF8);
        var values = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (string line in reader.ReadToEnd().Split('\n'))
        {
            int equals = line.IndexOf('=');
            if (equals > 0)
            {
                values[line.Substring(0, equals)] = line.Substring(equals + 1).TrimEnd('\r');
            }
        }

        if (!values.TryGetValue(EndpointName, out string? endpoint) || !values.TryGetValue(SecretName, out string? secret)
            || !WireEndpoint.TryParse(endpoint, out WireEndpoint? parsed))
        {
            throw new FormatException("it names no collector");
        }

        return new ConnectionFile(parsed!, LinkSecret.Parse(secret), values.TryGetValue(TailName, out string? tail) && tail.Length > 0
            ? tail : null);
    }
}
