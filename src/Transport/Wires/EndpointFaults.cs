namespace Transport;

/// <summary>Words of <see cref="TransportException.Code"/> for endpoints that cannot be used.</summary>
internal static class EndpointFaults
{
    /// <summary>The system refuses this process a socket, or a place for it.</summary>
    public const string NotPermitted = "not-permitted";

    /// <summary>Returns the word for an error of the system, or null.</summary>
    /// <remarks>EAFNOSUPPORT is what systemd's RestrictAddressFamilies answers; filters answer that or another one.</remarks>
    public static string? CodeOf(Errno error) => error is Errno.EPERM or Errno.EACCES or Errno.EROFS or Errno.ENOSYS or Errno.EAFNOSUPPORT
        or Errno.EPROTONOSUPPORT or Errno.EOPNOTSUPP ? NotPermitted : null;
}
