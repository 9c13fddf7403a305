using System.IO;

namespace Transport.Journal;

/// <summary>The system's error numbers as what they mean here.</summary>
internal static class StoreErrors
{
    public static StoreError Of(Errno error) => error switch
    {
        Errno.None => StoreError.None,
        Errno.EINTR => StoreError.Interrupted,
        Errno.ENOSPC or Errno.EDQUOT or Errno.EFBIG => StoreError.Full,
        Errno.EMFILE or Errno.ENFILE => StoreError.Shortage,
        Errno.EACCES or Errno.EPERM or Errno.EROFS or Errno.ELOOP => StoreError.Denied,
        Errno.ENOENT or Errno.ENOTDIR => StoreError.Missing,
        Errno.EEXIST or Errno.ENOTEMPTY => StoreError.Exists,
        Errno.EAGAIN => StoreError.Busy,
        Errno.EOPNOTSUPP or Errno.ENOSYS or Errno.EINVAL => StoreError.Unsupported,
        _ => StoreError.Broken,
    };

    /// <summary>What .NET makes of a failed call: its number, where the exception has it (on Mono, it does not).</summary>
    public static StoreError Of(IOException e) => ErrorNumbers.FromSystem(e.HResult) is var error and not Errno.None
        ? Of(error)
        : StoreError.Broken;

    /// <summary>The exception for a call that failed.</summary>
    public static StoreException Failed(string what, Errno error) => new(Of(error), $"{what}: {error.Describe()}");
}
