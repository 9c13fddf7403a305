using System;
using System.Globalization;
using System.IO;
using System.Security.Cryptography;

namespace Transport;

/// <summary>Makes endpoints in a folder that nobody but this user can enter, and clears away what exited processes left there.</summary>
internal static class EndpointDirectory
{
    /// <summary>The file extension of crash tails. A tail is beside the socket of its process, and is removed with it.</summary>
    public const string TailExtension = ".tail";

    /// <summary>The file extension of notes: what a process lets others of this user know while it runs, as <c>transport collect</c> where
    /// its listener is. Removed as a tail is.</summary>
    public const string NoteExtension = ".note";

    /// <summary>The file extension of files that say how to connect, for those alone who are given the path. Removed as a tail is.</summary>
    public const string ConnectionExtension = ".connect";

    /// <summary>Names a new endpoint; nobody listens there yet.</summary>
    /// <param name="kind">The kind of wire.</param>
    /// <param name="settings">Where to look.</param>
    /// <returns>The endpoint.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.BadEndpoint"/>: no folder can be used; the message says which one,
    /// why, and what to do.</exception>
    public static WireEndpoint NewEndpoint(WireKind kind, EndpointSettings settings)
    {
        if (kind is not (WireKind.UnixSocket or WireKind.NamedPipe))
        {
            throw new ArgumentOutOfRangeException(nameof(kind), kind, "Expected UnixSocket or NamedPipe.");
        }

        string pid = settings.ProcessId.ToString(CultureInfo.InvariantCulture);
        if (SocketPath.IsWindows)
        {
            return kind == WireKind.NamedPipe
                ? new WireEndpoint(kind, $"transport-{pid}-{RandomHex(16)}")
                : throw new TransportException(TransportFault.BadEndpoint, "Endpoints of kind unix are for Unix; use pipe on Windows.");
        }

        string name = $"{pid}-{RandomHex(4)}{StaleSockets.Extension}";
        string folder = Folder(name, settings);
        StaleSockets.Remove(folder, settings.UserId);
        return new WireEndpoint(kind, folder + "/" + name);
    }

    /// <summary>Names a new file of a crash tail, in the folder of the endpoints; on Windows in the user's temporary
    /// folder.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.BadEndpoint"/>: as <see cref="NewEndpoint"/>.</exception>
    public static string NewTail(EndpointSettings settings) => NewFile(TailExtension, settings);

    /// <summary>Names a new note, in the folder of the endpoints; on Windows in the user's temporary folder.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.BadEndpoint"/>: as <see cref="NewEndpoint"/>.</exception>
    public static string NewNote() => NewFile(NoteExtension, EndpointSettings.FromEnvironment());

    /// <summary>Names a new file that says how to connect, beside the notes.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.BadEndpoint"/>: as <see cref="NewEndpoint"/>.</exception>
    public static string NewConnection() => NewFile(ConnectionExtension, EndpointSettings.FromEnvironment());

    /// <summary>Finds the notes of this user's processes; those of processes that have exited are removed first.</summary>
    /// <returns>The notes, in no order.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.BadEndpoint"/>: as <see cref="NewEndpoint"/>.</exception>
    /// <exception cref="IOException">The folder cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">The folder may not be read.</exception>
    public static FileInfo[] Notes()
    {
        var settings = EndpointSettings.FromEnvironment();
        string folder = Path.GetDirectoryName(NewFile(NoteExtension, settings))!;
        if (!SocketPath.IsWindows)
        {
            StaleSockets.Remove(folder, settings.UserId);
        }

        return new DirectoryInfo(folder).GetFiles("*" + NoteExtension);
    }

    private static string NewFile(string extension, EndpointSettings settings)
    {
        string name = $"{settings.ProcessId.ToString(CultureInfo.InvariantCulture)}-{RandomHex(4)}{extension}";
        return SocketPath.IsWindows ? Path.Combine(settings.TemporaryDirectory, name) : Folder(name, settings) + "/" + name;
    }

    private static string Folder(string name, EndpointSettings settings)
    {
        if (settings.Override is { } wanted)
        {
            return Forced(wanted, name, settings);
        }

        // A runtime folder of someone else is common (sudo keeps the variable), so it is passed over and not an error.
        if (settings.RuntimeDirectory is { } runtime && runtime[0] == '/' && UnixFolder.OnlyWrittenBy(runtime, settings.UserId))
        {
            string own = runtime.TrimEnd('/') + "/transport";
            if (Fits(own, name, settings) && UnixFolder.TryCreate(own) == Errno.None)
            {
                return Checked(own, settings);
            }
        }

        string leaf = "/transport-" + settings.UserId.ToString(CultureInfo.InvariantCulture);
        string folder = settings.TemporaryDirectory + leaf;
        if (!Fits(folder, name, settings))
        {
            folder = settings.ShortTemporaryDirectory + leaf;
        }

        return Made(folder, settings);
    }

    private static string Forced(string wanted, string name, EndpointSettings settings)
    {
        if (wanted[0] != '/')
        {
            throw new TransportException(TransportFault.BadEndpoint, $"TRANSPORT_DIR is '{wanted}', and an absolute path is needed.");
        }

        string folder = wanted.Length > 1 ? wanted.TrimEnd('/') : wanted;
        if (SocketPath.Fault(folder + "/" + name, settings.MaxPathBytes) is { } fault)
        {
            throw new TransportException(TransportFault.BadEndpoint, fault);
        }

        return Made(folder, settings);
    }

    private static bool Fits(string folder, string name, EndpointSettings settings) =>
        SocketPath.Fits(folder + "/" + name, settings.MaxPathBytes);

    private static string Made(string folder, EndpointSettings settings) => UnixFolder.TryCreate(folder) is var error and not Errno.None
        ? throw Unusable(folder, "it cannot be made: " + error.Describe(), CodeOf(error, settings)) : Checked(folder, settings);

    /// <summary>That there is no temporary folder at all is no mistake of the user's.</summary>
    private static string? CodeOf(Errno error, EndpointSettings settings) =>
        error == Errno.ENOENT && settings.Override is null ? EndpointFaults.NotPermitted : EndpointFaults.CodeOf(error);

    private static string Checked(string folder, EndpointSettings settings) =>
        UnixFolder.PrivacyFault(folder, settings.UserId) is { } fault ? throw Unusable(folder, fault) : folder;

    private static TransportException Unusable(string folder, string fault, string? code = null) => new(
        TransportFault.BadEndpoint,
        $"The folder '{folder}' cannot be used for sockets: {fault}. Fix or remove it, or set TRANSPORT_DIR to a folder of your own with "
            + "mode 0700.",
        code: code);

    private static string RandomHex(int bytes)
    {
        byte[] random = new byte[bytes];
        using var source = RandomNumberGenerator.Create();
        source.GetBytes(random);
        return BitConverter.ToString(random).Replace("-", string.Empty).ToLowerInvariant();
    }
}
