using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net.Sockets;

namespace Transport;

/// <summary>Finds and removes sockets, and files of tails, whose process has died: a killed process cannot unlink its own.</summary>
internal static class StaleSockets
{
    public const string Extension = ".sock";

    // File times and process start times come from different clocks of the kernel; well above their difference.
    private static readonly TimeSpan ClockSlack = TimeSpan.FromSeconds(10);

    /// <summary>Removes what this user's exited processes left in the folder: only names of our own pattern, only sockets and files of
    /// tails.</summary>
    public static void Remove(string folder, uint user)
    {
        Remove(folder, user, Extension);
        Remove(folder, user, EndpointDirectory.TailExtension);
        Remove(folder, user, EndpointDirectory.NoteExtension);
        Remove(folder, user, EndpointDirectory.ConnectionExtension);
    }

    private static void Remove(string folder, uint user, string extension)
    {
        string[] found;
        try
        {
            found = Directory.GetFiles(folder, "*" + extension);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return; // Someone else's to complain about: binding in this folder will say what is wrong.
        }

        foreach (string path in found)
        {
            if (!TryReadOwner(Path.GetFileName(path), extension, out int pid)
                || FileStatus.ReadLink(path, out FileStatus status) != Errno.None || status.User != user || MayBeAlive(pid, status))
            {
                continue;
            }

            // The process id may be of another PID namespace, so nothing goes by it alone.
            if (extension != Extension)
            {
                HeldFile.RemoveIfFree(path, user);
            }
            else if (status.Kind == FileKind.Socket && NobodyListens(path))
            {
                _ = FilePath.TryUnlink(path);
            }
        }
    }

    /// <summary>Whether a connection to the socket is refused, that is, no process holds it open any more.</summary>
    public static bool NobodyListens(string path)
    {
        try
        {
            using var probe = UnixSocketEndPoint.NewSocket();
            probe.SendTimeout = 100; // A live listener with a full queue would hold us up.
            probe.Connect(new UnixSocketEndPoint(path));
            return false;
        }
        catch (SocketException e)
        {
            return e.SocketErrorCode == SocketError.ConnectionRefused;
        }
    }

    /// <summary>Reads the process id from a name of the form PID-8HEX.sock.</summary>
    public static bool TryReadOwner(string name, out int pid) => TryReadOwner(name, Extension, out pid);

    private static bool TryReadOwner(string name, string extension, out int pid)
    {
        pid = 0;
        int dash = name.IndexOf('-');
        return dash > 0 && name.Length == dash + 1 + 8 + extension.Length
            && name.EndsWith(extension, StringComparison.Ordinal)
            && name.Skip(dash + 1).Take(8).All(static c => c is (>= '0' and <= '9') or (>= 'a' and <= 'f'))
            && int.TryParse(name.Substring(0, dash), NumberStyles.None, CultureInfo.InvariantCulture, out pid);
    }

    private static bool MayBeAlive(int pid, in FileStatus status)
    {
        Errno error = Libc.ErrorOf(Libc.kill(pid, 0));
        if (error != Errno.None)
        {
            return error != Errno.ESRCH;
        }

        // The number is taken; but a process that started after the socket was made is another one.
        try
        {
            using Process process = Process.GetProcessById(pid);
            DateTimeOffset made = DateTimeOffset.FromUnixTimeSeconds(status.ModifiedSeconds);
            return new DateTimeOffset(process.StartTime) <= made + ClockSlack;
        }
        catch (Exception e) when (e is ArgumentException or InvalidOperationException or System.ComponentModel.Win32Exception
            or IOException)
        {
            return true;
        }
    }
}
