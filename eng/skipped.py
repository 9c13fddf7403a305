#!/usr/bin/env python3
"""Lists the tests that a run skipped, from the .trx files of one folder.

Usage: skipped.py FOLDER              one line a test: project, test, reason
       skipped.py FOLDER --filters    one line a project: its name and a filter for `dotnet test` that selects them
       skipped.py FOLDER --beside NEW those that were skipped in the run of folder NEW as well

Tests that run only at night are left out: no tool is missing for them.
"""
import sys
import xml.etree.ElementTree as tree
from pathlib import Path

NS = "{http://microsoft.com/schemas/VisualStudio/TeamTest/2010}"


def skipped(folder):
    """Yields (project, class and method, test with its arguments, reason)."""
    for file in sorted(Path(folder).rglob("*.trx")):
        root = tree.parse(file).getroot()
        methods = {}
        for test in root.iter(NS + "UnitTest"):
            method = test.find(NS + "TestMethod")
            name = method.get("className").split("(")[0] + "." + method.get("name").split("(")[0]
            methods[test.get("id")] = (Path(method.get("codeBase")).stem, name)
        for result in root.iter(NS + "UnitTestResult"):
            if result.get("outcome") == "NotExecuted":
                project, method = methods[result.get("testId")]
                message = result.find(f"{NS}Output/{NS}ErrorInfo/{NS}Message")
                reason = " ".join(message.text.split()) if message is not None and message.text else ""
                if not reason.startswith("Nightly:"):
                    yield project, method, result.get("testName"), reason


def main():
    if len(sys.argv) < 2 or not Path(sys.argv[1]).is_dir():
        sys.exit(__doc__.strip())
    rows = list(skipped(sys.argv[1]))
    if "--filters" in sys.argv:
        for project in sorted({row[0] for row in rows}):
            methods = sorted({row[1] for row in rows if row[0] == project})
            print(project, "|".join("FullyQualifiedName~" + method for method in methods))
        return
    if "--beside" in sys.argv:
        again = {(row[0], row[2]) for row in skipped(sys.argv[sys.argv.index("--beside") + 1])}
        rows = [row for row in rows if (row[0], row[2]) in again]
    for project, _, test, reason in rows:
        print(f"skipped: {project}: {test}: {reason or 'NO REASON'}")


main()
