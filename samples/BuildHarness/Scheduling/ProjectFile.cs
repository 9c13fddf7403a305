using System;
using System.Collections.Generic;
using System.IO;
using System.Xml;

namespace BuildHarness.Scheduling;

/// <summary>Reads what a project file says by itself, without MSBuild: enough for a hint.</summary>
internal static class ProjectFile
{
    /// <summary>Returns the full paths of the projects that it names as references, whatever their conditions. What needs MSBuild to be
    /// understood is left out; of a file that cannot be read nothing is known.</summary>
    public static IReadOnlyList<string> References(string path)
    {
        var found = new List<string>();
        try
        {
            string folder = Path.GetDirectoryName(path)!;
            using var reader = XmlReader.Create(path, new XmlReaderSettings { DtdProcessing = DtdProcessing.Ignore, XmlResolver = null });
            while (reader.Read())
            {
                if (reader.NodeType != XmlNodeType.Element || reader.LocalName != "ProjectReference"
                    || reader.GetAttribute("Include") is not { } include)
                {
                    continue;
                }

                foreach (string one in include.Split(';', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
                {
                    if (one.IndexOfAny(['$', '@', '*', '%']) < 0)
                    {
                        found.Add(Path.GetFullPath(Path.Combine(folder, one.Replace('\\', Path.DirectorySeparatorChar))));
                    }
                }
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or XmlException or ArgumentException)
        {
            // MSBuild will say what is wrong with it.
        }

        return found;
    }
}
