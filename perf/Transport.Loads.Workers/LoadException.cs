using System;

namespace Transport.Loads;

/// <summary>Something the user of the program should read as one line: a wrong argument, a load that lost or changed a packet.</summary>
internal sealed class LoadException(string message) : Exception(message);
