using System;
using Microsoft.Win32.SafeHandles;

namespace Transport;

/// <summary>Owns a descriptor.</summary>
/// <remarks>Mono's SafeFileHandle closes only what Mono has opened, so a lock would stay.</remarks>
internal sealed class DescriptorHandle : SafeHandleMinusOneIsInvalid
{
    public DescriptorHandle(int fd)
        : base(ownsHandle: true) => SetHandle((IntPtr)fd);

    public int Fd => handle.ToInt32();

    protected override bool ReleaseHandle() => Libc.close(handle.ToInt32()) == 0;
}
