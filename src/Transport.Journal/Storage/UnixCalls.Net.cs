using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Mono.Unix.Native;

// Nothing that these calls take is converted, so they need no code that is made at run time and can be compiled ahead.
[assembly: DisableRuntimeMarshalling]

namespace Transport.Journal;

/// <content>The runtime leaves errno as it is until the caller has read it, and only who has failed does.</content>
internal static unsafe partial class UnixCalls
{
    public const bool KeepsError = false;

    /// <summary>Gets why the last call on this thread failed; nothing may come in between.</summary>
    public static Errno LastError => NativeConvert.ToErrno(Marshal.GetLastSystemError());
}
