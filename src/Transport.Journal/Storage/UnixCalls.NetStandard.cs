using System.Runtime.InteropServices;
using Mono.Unix.Native;

namespace Transport.Journal;

/// <content>The runtime keeps errno with each call: nothing says that it would still be there otherwise.</content>
internal static unsafe partial class UnixCalls
{
    public const bool KeepsError = true;

    /// <summary>Gets why the last call on this thread failed; nothing may come in between.</summary>
    public static Errno LastError => NativeConvert.ToErrno(Marshal.GetLastWin32Error());
}
