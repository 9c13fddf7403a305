using System;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using NUnit.Framework;
using Transport.Testing;

namespace Transport.Docs.Tests;

internal sealed class VersionTests
{
    /// <summary>A template that asks for another version would restore packages that do not fit it.</summary>
    [Test]
    public void Templates_reference_the_packages_of_their_own_version()
    {
        string version = XDocument.Load(Path.Combine(Repository.Root, "Directory.Build.props")).Descendants("Version").Single().Value;
        string templates = Path.Combine(Repository.Root, "templates");
        string[] versions = [.. Directory.EnumerateFiles(templates, "*.csproj", SearchOption.AllDirectories)
            .SelectMany(file => Regex.Matches(File.ReadAllText(file), "Include=\"Transport[^\"]*\" Version=\"(?<version>[^\"]+)\"",
                RegexOptions.ExplicitCapture, TimeSpan.FromSeconds(10))).Select(match => match.Groups["version"].Value)];
        Assert.That(versions, Has.Length.GreaterThanOrEqualTo(5).And.All.EqualTo(version));
    }
}
