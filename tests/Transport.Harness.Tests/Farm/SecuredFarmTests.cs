using System;
using System.IO;
using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Threading.Tasks;
using BuildHarness.Tests.Processes;
using NUnit.Framework;
using Transport.Testing;
using Transport.Testing.Servers;

namespace BuildHarness.Tests.Farm;

/// <summary>A server with TLS, of an authority of its own, and users.</summary>
[TestFixture]
[Platform(Include = "Linux")]
internal sealed class SecuredFarmTests
{
    [Test]
    public async Task Home_and_agent_name_themselves_over_TLS_and_a_stranger_is_refused()
    {
        using var folder = new TemporaryFolder();
        string authority = WriteCertificates(folder.Path);
        await using NatsServer server = await NatsServer.StartAsync(
            $$"""
            tls { cert_file: "{{folder.Path}}/server.pem", key_file: "{{folder.Path}}/server.key" }
            authorization { users = [ { user: home, password: secret1 }, { user: agent, password: secret2 } ] }
            """, isOpen: false);
        string trust = "export SSL_CERT_FILE=" + authority, at = server.Url["nats://".Length..];
        string solution = PlainProjects.Four(folder, b: string.Empty);
        using Harness agent = Harness.StartUnder(
            trust, "agent", "--nats", $"tls://agent:secret2@{at}", "--workers", "1", "--name", "b1");
        string ready = await agent.SaysAsync(line => line.Contains("lends them", StringComparison.Ordinal));
        Assert.That(ready, Does.EndWith("lends them to builds at " + at).And.Not.Contain("secret"));
        using Harness build = await Harness.RunUnderAsync(trust, "build", solution, "--farm", $"tls://home:secret1@{at}", "--no-restore");
        using Harness wrong = await Harness.RunUnderAsync(trust, "build", solution, "--farm", $"tls://home:guess@{at}", "--no-restore");
        using Harness untrusting = await Harness.RunAsync("build", solution, "--farm", $"tls://home:secret1@{at}", "--no-restore");
        Harness.Kill(agent.ProcessId, "TERM");
        await agent.EndAsync();

        Assert.That(build.ExitCode, Is.Zero, () => string.Join('\n', [.. build.Output, .. build.Errors, .. agent.Output, .. agent.Errors]));
        foreach (Harness refused in new[] { wrong, untrusting })
        {
            Assert.That(refused.ExitCode, Is.EqualTo(3));
            Assert.That(refused.Errors, Has.Length.EqualTo(1));
            Assert.That(refused.Errors[0],
                Does.StartWith($"buildharness: No server of NATS can be used at {at}: ").And.Not.Contain("guess").And.Not.Contain("secret"));
        }

        Assert.That(wrong.Errors[0], Does.Contain("uthorization"));
        Assert.That(untrusting.Errors[0], Does.Contain("certificate"));
    }

    /// <summary>Writes an authority's certificate, and one of a server on loopback with its key.</summary>
    /// <returns>The file of the authority's.</returns>
    private static string WriteCertificates(string folder)
    {
        DateTimeOffset now = TimeProvider.System.GetUtcNow(), from = now.AddDays(-1), to = now.AddDays(1);
        using var authorityKey = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var authority = new CertificateRequest("CN=Authority of the farm", authorityKey, HashAlgorithmName.SHA256);
        authority.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        using X509Certificate2 issuer = authority.CreateSelfSigned(from, to);
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var server = new CertificateRequest("CN=farm", key, HashAlgorithmName.SHA256);
        var names = new SubjectAlternativeNameBuilder();
        names.AddIpAddress(IPAddress.Loopback);
        server.CertificateExtensions.Add(names.Build());
        using X509Certificate2 certificate = server.Create(issuer, from, to, [1, 2, 3, 4]);
        File.WriteAllText(Path.Combine(folder, "server.pem"), certificate.ExportCertificatePem());
        File.WriteAllText(Path.Combine(folder, "server.key"), key.ExportECPrivateKeyPem());
        string file = Path.Combine(folder, "authority.pem");
        File.WriteAllText(file, issuer.ExportCertificatePem());
        return file;
    }
}
