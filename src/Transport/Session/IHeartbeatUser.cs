namespace Transport;

/// <summary>What looks at the clock a few times in each of the times that a link keeps.</summary>
internal interface IHeartbeatUser
{
    /// <summary>Looks. On a pool thread, never two calls at a time for links of one heartbeat; must not wait.</summary>
    /// <param name="isLate">Whether at least one beat was left out: this process may have been stopped, and what came meanwhile may not be
    /// read yet.</param>
    void OnBeat(bool isLate);
}
