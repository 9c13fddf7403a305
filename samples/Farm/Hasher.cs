using System;
using System.Security.Cryptography;
using System.Text;
using System.Threading.Tasks;
using Microsoft.Extensions.Logging;
using Transport;
using Transport.Hosting;

namespace Farm;

/// <summary>The same handler as in a local pool.</summary>
internal sealed class Hasher(ILogger<Hasher> log) : IRequestHandler<HashWord, WordHash>
{
    public Task<WordHash> HandleAsync(HashWord request, PacketContext context)
    {
        string hash = Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(request.Word)));
        log.LogInformation("{Word} is hashed", request.Word);
        return Task.FromResult(new WordHash(request.Word, hash, $"{Environment.MachineName} {Environment.ProcessId}"));
    }
}
