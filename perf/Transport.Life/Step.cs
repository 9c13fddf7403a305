namespace Transport.Life;

/// <summary>An event of about the size of a log event.</summary>
/// <param name="Number">Its place in the order.</param>
/// <param name="Time">When it was made, in ticks of the clock.</param>
/// <param name="Message">200 characters.</param>
[Packet(1024)]
internal sealed partial record Step(long Number, long Time, string Message);
