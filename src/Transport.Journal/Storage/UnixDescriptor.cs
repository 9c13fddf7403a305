using System;
using Microsoft.Win32.SafeHandles;
using Mono.Unix.Native;

namespace Transport.Journal;

/// <summary>
/// Owns a descriptor. Not the runtime's SafeFileHandle: Mono's closes only what it has opened itself, and the writer's lock would stay.
/// </summary>
internal sealed class UnixDescriptor : SafeHandleMinusOneIsInvalid
{
    public UnixDescriptor(int descriptor)
        : base(ownsHandle: true) => SetHandle((IntPtr)descriptor);

    protected override bool ReleaseHandle() => Syscall.close((int)handle) == 0;
}
