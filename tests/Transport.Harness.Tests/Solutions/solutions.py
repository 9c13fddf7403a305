#!/usr/bin/env python3
"""Builds random solutions by `dotnet build` and by the harness, and compares what came of it. What `dotnet build` does is right.

usage: solutions.py HARNESS [--rounds 10] [--seed 1] [--keep DIR] [--only SEED] [--plain]

HARNESS is the command of the harness, such as "dotnet samples/BuildHarness/bin/Release/net10.0/buildharness.dll". Each seed makes a
solution of 2 to 6 projects and a command line. Compared are the exit code, the files below bin and the packages with their hashes, the
diagnostics as a multiset, and how often each marked target ran, with which properties and what its references gave it. A solution that
differs is made smaller, project by project and reference by reference, and kept in DIR. With --plain no project compiles anything, which is
ten times as quick.
"""
import argparse
import collections
import hashlib
import json
import os
import pathlib
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

DIAGNOSTIC = re.compile(r"^\s*(?P<file>[^\[\]]*?)(?P<place>\([\d,]+\))?\s*: (?P<kind>warning|error)(?: (?P<code>\w+))?\s*: (?P<text>.*?)"
    r"\s*(?:\[(?P<project>[^\]]*)\])?$")
SETTINGS = {"DOTNET_CLI_TELEMETRY_OPTOUT": "1", "DOTNET_NOLOGO": "1", "MSBUILDDISABLENODEREUSE": "1", "MSBUILDTERMINALLOGGER": "off",
    "DOTNET_CLI_USE_MSBUILD_SERVER": "0"}

# Ways of a ProjectReference, each with how often it is taken.
REFERENCE = [(8, {}), (1, {"ReferenceOutputAssembly": "false"}), (1, {"BuildReference": "false", "ReferenceOutputAssembly": "false"}),
    (1, {"Targets": "Build;Extra"}), (1, {"Properties": "Flavor=mild"}), (1, {"AdditionalProperties": "Flavor=cool"}),
    (1, {"GlobalPropertiesToRemove": "Flavor"}), (1, {"UndefineProperties": "Flavor"}), (1, {"Private": "false"}),
    (1, {"SkipGetTargetFrameworkProperties": "true", "ReferenceOutputAssembly": "false"}),
    (1, {"SetTargetFramework": "TargetFramework=netstandard2.0", "ReferenceOutputAssembly": "false"}),
    (1, {"ReferenceOutputAssembly": "false", "OutputItemType": "Content"})]
# A target that is not there is asked for neither with ContinueOnError nor where a project fails: docs/reference/buildharness.md says how
# the two differ.
CALL = [(3, {}), (1, {"Targets": "Extra"}), (1, {"Targets": "Build;Extra"}), (1, {"Targets": "None", "SkipNonexistentTargets": "true"}),
    (1, {"Targets": "GetTargetPath", "SkipNonexistentTargets": "true"}),
    (1, {"Properties": "Flavor=mild"}), (1, {"RemoveProperties": "Flavor"}), (1, {"BuildInParallel": "true"}),
    (1, {"RunEachTargetSeparately": "true", "Targets": "Extra;Build"}), (1, {"StopOnFirstFailure": "true"}),
    (1, {"ContinueOnError": "ErrorAndContinue"}), (1, {"ContinueOnError": "WarnAndContinue"})]
TARGETS = [(8, None), (2, "Rebuild"), (1, "Clean;Build"), (1, "Clean"), (1, "Build;Extra"), (1, "Pack"), (1, "PROJECT"),
    (1, "PROJECT:Rebuild")]
WRONG = ["none"] * 14 + ["compile", "error", "warning", "kept", "xml", "import"]


def pick(draw, ways):
    return draw.choices([way for _, way in ways], [weight for weight, _ in ways])[0]


def add_ways(solution, is_plain):
    """Draws what came later, by numbers of its own, so that a seed's projects stay what they were."""
    draw = random.Random(f'{solution["seed"]} more')
    solution.update({"sln": draw.random() < 0.35, "artifacts": not is_plain and draw.random() < 0.1, "platform": {}})
    targets = [word for word in solution["command"] if word.startswith("-t:")]
    if not targets and draw.random() < 0.15:
        solution["command"].append(draw.choice(["-t:Publish", "-t:Build;Publish"]))
    if solution["sln"] and draw.random() < 0.5:
        # Which platform a project has where the solution's is x64; None: it is not built.
        solution["platform"] = {p["name"]: draw.choice(["x64", "Any CPU", "Any CPU", None]) for p in solution["projects"]}
        if solution["entry"] != "project" and draw.random() < 0.6:
            solution["command"].append("-p:Platform=x64")
    if any(p["wrong"] not in ("none", "warning") for p in solution["projects"]):
        for project in solution["projects"]:
            project["calls"] = [call if call.get("Targets") != "None" else {"to": call["to"]} for call in project["calls"]]
    sdks = [p for p in solution["projects"] if p["kind"] != "plain"]
    if sdks and draw.random() < 0.06:
        draw.choice(sdks)["package"] = True
    return solution


def plan(seed, is_plain=False):
    """Draws a solution: a dictionary that can be made smaller."""
    draw = random.Random(seed)
    projects = []
    for i in range(draw.randint(2, 6)):
        kind = draw.choices(["plain", "sdk", "multi"], [1, 0, 0] if is_plain else [4, 4, 1])[0]
        project = {"name": f"P{i}", "kind": kind, "wrong": draw.choice(WRONG), "references": [], "calls": [],
            "pack": kind != "plain" and draw.random() < 0.15, "before": draw.random() < 0.2}
        for other in projects:
            if kind == "plain":
                if draw.random() < 0.5:
                    project["calls"].append({"to": other["name"], **pick(draw, CALL)})
            elif draw.random() < 0.5:
                how = dict(pick(draw, REFERENCE))
                if other["kind"] == "plain":
                    how.update({"ReferenceOutputAssembly": "false", "SkipGetTargetFrameworkProperties": "true"})
                project["references"].append({"to": other["name"], "dynamic": draw.random() < 0.1, **how})
        projects.append(project)
    order = [[b["name"], a["name"]] for a in projects for b in projects if a["name"] < b["name"] and draw.random() < 0.08]
    entry = draw.choices(["slnx", "project", "slnf"], [6, 3, 1])[0]
    command = []
    targets = pick(draw, TARGETS)
    if targets is not None and (entry == "slnx" or not targets.startswith("PROJECT")):
        command.append("-t:" + targets.replace("PROJECT", draw.choice(projects)["name"]))
    if draw.random() < 0.3:
        command.append("-p:Flavor=hot")
    if draw.random() < 0.2:
        command.append("-p:Configuration=Release")
    if draw.random() < 0.15:
        command.append(draw.choice(["-warnaserror", "-warnaserror:W1"]))
    return add_ways({"seed": seed, "projects": projects, "order": order, "entry": entry,
        "left": draw.choice([p["name"] for p in projects]), "command": command, "twice": draw.random() < 0.2}, is_plain)


def attributes(values):
    return "".join(f' {name}="{value}"' for name, value in values.items())


def write_project(root, solution, project):
    folder = root / project["name"]
    folder.mkdir(parents=True)
    sdk = project["kind"] != "plain"
    lines = ['<Project Sdk="Microsoft.NET.Sdk">' if sdk else '<Project DefaultTargets="Build">', "  <PropertyGroup>"]
    if sdk:
        lines.append("    <TargetFrameworks>net10.0;netstandard2.0</TargetFrameworks>" if project["kind"] == "multi"
            else f"    <TargetFramework>{'net10.0' if project['name'] != 'P0' else 'netstandard2.0'}</TargetFramework>")
        lines.append("    <Deterministic>true</Deterministic><UseSharedCompilation>false</UseSharedCompilation>")
        if not solution["artifacts"]:
            # A project that is built with two flavors at a time writes the same files twice at a time, by `dotnet build` too.
            lines.append("    <OutputPath>bin/$(Flavor)/$(Configuration)/</OutputPath>"
                "<IntermediateOutputPath>obj/$(Flavor)/$(Configuration)/</IntermediateOutputPath>")
    if project["pack"]:
        lines.append("    <GeneratePackageOnBuild>true</GeneratePackageOnBuild>")
    lines.append("  </PropertyGroup>")
    mark = ("echo $(MSBuildProjectName) [$(TargetFramework)] [$(Configuration)] [$(Platform)] [$(Flavor)] {0} &gt;&gt; "
        "$(MSBuildThisFileDirectory)../marks.txt")

    def target(name, text, more="", inside=""):
        write = f'<Exec Command="{mark.format(text)}" StandardOutputImportance="low" />'
        lines.append(f'  <Target Name="{name}"{more}>{inside}{write}</Target>')

    if project.get("package"):
        lines.append('  <ItemGroup><PackageReference Include="No.Such.Package.Anywhere" Version="1.0.0" /></ItemGroup>')
    for i, reference in enumerate(project["references"]):
        how = {key: value for key, value in reference.items() if key not in ("to", "dynamic")}
        include = f'../{path_of(solution, reference["to"])}'
        item = f'<ItemGroup><ProjectReference Include="{include}"{attributes(how)} /></ItemGroup>'
        lines.append(f'  <Target Name="Add{i}" BeforeTargets="AssignProjectConfiguration">{item}</Target>' if reference["dynamic"]
            else "  " + item)
    calls = ""
    for i, call in enumerate(project["calls"]):
        how = {key: value for key, value in call.items() if key != "to"}
        path = f'../{path_of(solution, call["to"])}'
        calls += f'<MSBuild Projects="{path}"{attributes(how)}><Output TaskParameter="TargetOutputs" ItemName="Got{i}" /></MSBuild>'
        got = mark.format(f"got @(Got{i}-&gt;&apos;%(Filename)%(Extension)&apos;, &apos;+&apos;)")
        calls += f'<Exec Command="{got}" StandardOutputImportance="low" />'
    if sdk:
        target("Note", "built", ' AfterTargets="Build"')
        if project["before"]:
            target("Early", "early", ' BeforeTargets="BeforeBuild"')
        target("Extra", "extra", ' Returns="@(ExtraOutput)"')
    else:
        target("Build", "built", ' Returns="$(MSBuildProjectName).out"', calls)
        target("Clean", "cleaned")
        target("Rebuild", "rebuilt", ' DependsOnTargets="Clean;Build"')
        target("Extra", "extra", ' Returns="$(MSBuildProjectName).extra"')
        target("Pack", "packed")
        target("Publish", "published")
        lines.append('  <Target Name="GetTargetPath" Returns="$(MSBuildProjectName).out" />')
    after = "Note" if sdk else "Build"
    wrong = project["wrong"]
    if wrong == "error":
        lines.append(f'  <Target Name="Fail" AfterTargets="{after}"><Error Code="E1" Text="failed" /></Target>')
    if wrong == "kept":
        lines.append(f'  <Target Name="Keep" AfterTargets="{after}">'
            '<Error Code="E2" Text="kept" ContinueOnError="ErrorAndContinue" /></Target>')
    if wrong == "warning":
        lines.append(f'  <Target Name="Warn" AfterTargets="{after}"><Warning Code="W1" Text="careful" /></Target>')
    if wrong == "import":
        lines.append('  <Import Project="nowhere.props" />')
    lines.append("</Project>" if wrong != "xml" else "<Broken")
    (root / path_of(solution, project["name"])).write_text("\n".join(lines) + "\n")
    if sdk:
        body = "oops" if wrong == "compile" else ""
        (folder / "Class.cs").write_text(f'namespace {project["name"]} {{ public class Class {{ {body} }} }}\n')


def write(root, solution):
    for project in solution["projects"]:
        write_project(root, solution, project)
    artifacts = "<PropertyGroup><UseArtifactsOutput>true</UseArtifactsOutput></PropertyGroup>" if solution["artifacts"] else ""
    (root / "Directory.Build.props").write_text(f"<Project>{artifacts}</Project>\n")
    if any(p.get("package") for p in solution["projects"]):
        (root / "empty").mkdir()
        (root / "NuGet.config").write_text('<configuration><packageSources><clear /><add key="empty" value="empty" /></packageSources>'
            "</configuration>\n")
    (root / "Directory.Build.targets").write_text("<Project />\n")
    entries = ""
    for project in solution["projects"]:
        inside = "".join(f'<BuildDependency Project="{path_of(solution, before)}" />'
            for after, before in solution["order"] if after == project["name"])
        kind = ' Type="C#"' if project["kind"] == "plain" else ""
        entries += f'  <Project Path="{path_of(solution, project["name"])}"{kind}>{inside}</Project>\n'
    if solution["sln"]:
        (root / "All.sln").write_text(old_solution(solution))
    else:
        (root / "All.slnx").write_text(f"<Solution>\n{entries}</Solution>\n")
    kept = [path_of(solution, p["name"]) for p in solution["projects"] if p["name"] != solution["left"] or len(solution["projects"]) == 1]
    (root / "Some.slnf").write_text(json.dumps({"solution": {"path": all_of(solution), "projects": kept}}))


def old_solution(solution):
    """The same as a file of the older format, which has GUIDs and a line for each project's configuration."""
    numbers = {p["name"]: "{%08X-0000-0000-0000-000000000000}" % (i + 1) for i, p in enumerate(solution["projects"])}
    platforms = ["Any CPU"] + (["x64"] if solution["platform"] else [])
    lines = ["", "Microsoft Visual Studio Solution File, Format Version 12.00"]
    for project in solution["projects"]:
        name = project["name"]
        lines.append(f'Project("{{9A19103F-16F7-4668-BE54-9A1E7A4F7556}}") = "{name}", "{path_of(solution, name)}", "{numbers[name]}"')
        before = [numbers[b] for after, b in solution["order"] if after == name]
        if before:
            lines += ["\tProjectSection(ProjectDependencies) = postProject", *(f"\t\t{b} = {b}" for b in before), "\tEndProjectSection"]
        lines.append("EndProject")
    lines += ["Global", "\tGlobalSection(SolutionConfigurationPlatforms) = preSolution"]
    configurations = [f"{c}|{p}" for c in ("Debug", "Release") for p in platforms]
    lines += [f"\t\t{c} = {c}" for c in configurations]
    lines += ["\tEndGlobalSection", "\tGlobalSection(ProjectConfigurationPlatforms) = postSolution"]
    for name, number in numbers.items():
        for one in configurations:
            configuration, platform = one.split("|")
            own = solution["platform"].get(name) if platform == "x64" else "Any CPU"
            lines.append(f'\t\t{number}.{one}.ActiveCfg = {configuration}|{own or "Any CPU"}')
            if own:
                lines.append(f"\t\t{number}.{one}.Build.0 = {configuration}|{own}")
    return "\n".join([*lines, "\tEndGlobalSection", "EndGlobal", ""])


def all_of(solution):
    return "All.sln" if solution["sln"] else "All.slnx"


def path_of(solution, name):
    kind = next(one for one in solution["projects"] if one["name"] == name)["kind"]
    return f'{name}/{name}.{"proj" if kind == "plain" else "csproj"}'


def entry_of(solution):
    last = path_of(solution, solution["projects"][-1]["name"])
    return {"slnx": all_of(solution), "slnf": "Some.slnf", "project": last}[solution["entry"]]


def run(command, root):
    """Runs a build in a group of its own: one that does not end is ended with all that it has started, which would keep its output open."""
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(command, cwd=root, env={**os.environ, **SETTINGS}, stdout=said, stderr=subprocess.STDOUT,
            start_new_session=True)
        try:
            code = process.wait(timeout=240)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            code = "did not end"
        said.seek(0)
        return code, said.read()


def outcome(command, root, times):
    """What a build leaves: by name, so that a difference can be said in a line."""
    seen = {}
    text = ""
    for turn in range(times):
        code, text = run(command, root)
        seen[f"exit code {turn + 1}"] = code
        seen[f"diagnostics {turn + 1}"] = diagnostics(text)
    files = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.is_file() and "/obj/" not in name and ("/bin/" in name or name.endswith(".nupkg")):
            files[name] = hashlib.sha256(path.read_bytes()).hexdigest()[:12] if path.suffix in (".dll", ".json") else ""
    marks = root / "marks.txt"
    seen["files"] = collections.Counter(f"{name} {hashed}" for name, hashed in files.items())
    seen["marks"] = collections.Counter(marks.read_text().splitlines() if marks.exists() else [])
    return seen, text


def diagnostics(text):
    """Each as often as it was shown while it was built: at the end both show them once more, whatever they are asked for."""
    found = collections.Counter()
    for line in text.splitlines():
        if line in ("Build succeeded.", "Build FAILED.", "Errors of this build:"):
            break
        match = DIAGNOSTIC.match(line)
        if match and match["project"] is not None:
            file = pathlib.Path(match["file"].strip()).name
            found[f'{file}{match["place"] or ""} {match["kind"]} {match["code"] or ""} {match["text"]}'] += 1
    return found


def differences(solution, harness, work):
    """Builds it both ways at one path, so that texts and hashes are equal. Where `dotnet build` does one thing with two nodes and another
    with one, either is right: some of what MSBuild knows of a request does not leave its node."""

    def build(*command):
        root = work / "in"
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir(parents=True)
        write(root, solution)
        return outcome([*command, *solution["command"]], root, 2 if solution["twice"] else 1)

    def judge(nodes):
        expected, text = build("dotnet", "build", entry_of(solution), "-tl:off", "-nr:false", "-clp:NoSummary", f"-m:{nodes}")
        return lines_of(expected, got), text

    got, own = build(*harness, "build", entry_of(solution), "--nodes", "2")
    lines, text = judge(2)
    if lines and not judge(1)[0]:
        lines = []
    return lines, (text, own)


def lines_of(expected, got):
    """What differs, a line each."""
    lines = []
    for name, right in expected.items():
        if right == got[name]:
            continue
        if isinstance(right, collections.Counter):
            lines += [f"{name}: missing {count} x {one}" for one, count in (right - got[name]).items()]
            lines += [f"{name}: {count} x too much {one}" for one, count in (got[name] - right).items()]
        else:
            lines.append(f"{name}: {got[name]} for {right}")
    return lines


def smaller(solution):
    """The solutions that are one step smaller."""
    for gone in solution["projects"]:
        rest = [{**p, "references": [r for r in p["references"] if r["to"] != gone["name"]],
            "calls": [c for c in p["calls"] if c["to"] != gone["name"]]} for p in solution["projects"] if p is not gone]
        if rest and not any(gone["name"] in word for word in solution["command"]):
            yield {**solution, "projects": rest, "order": [o for o in solution["order"] if gone["name"] not in o],
                "left": solution["left"] if solution["left"] != gone["name"] else rest[0]["name"]}
    for i, project in enumerate(solution["projects"]):
        for key in ("references", "calls"):
            for one in project[key]:
                changed = {**project, key: [other for other in project[key] if other is not one]}
                yield {**solution, "projects": [*solution["projects"][:i], changed, *solution["projects"][i + 1:]]}
    if solution["order"]:
        yield {**solution, "order": solution["order"][1:]}
    if solution["twice"]:
        yield {**solution, "twice": False}
    for word in solution["command"]:
        yield {**solution, "command": [other for other in solution["command"] if other != word]}


def shrink(solution, harness, work, tries):
    for candidate in smaller(solution):
        if tries <= 0:
            break
        tries -= 1
        if differences(candidate, harness, work)[0]:
            return shrink(candidate, harness, work, tries)
    return solution


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("harness")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--shrink", type=int, default=15, help="how many smaller solutions are tried of one that differs")
    given = parser.parse_args()
    seeds = [given.only] if given.only is not None else range(given.seed, given.seed + given.rounds)
    broken = 0
    with tempfile.TemporaryDirectory(prefix="solutions-") as folder:
        work = pathlib.Path(folder)
        for seed in seeds:
            solution = plan(seed, given.plain)
            lines, texts = differences(solution, shlex.split(given.harness), work)
            kinds = "".join(p["kind"][0] for p in solution["projects"])
            answer = "same" if not lines else f"{len(lines)} differences"
            print(f'seed {seed}: {kinds} {entry_of(solution)} {" ".join(solution["command"])}: {answer}', flush=True)
            if lines:
                broken += 1
                small = shrink(solution, shlex.split(given.harness), work, given.shrink)
                lines, texts = differences(small, shlex.split(given.harness), work)
                for line in lines[:12]:
                    print(f"    {line}", flush=True)
                if given.keep:
                    kept = given.keep / str(seed)
                    shutil.rmtree(kept, ignore_errors=True)
                    write(kept / "in", small)
                    (kept / "plan.json").write_text(json.dumps(small, indent=1))
                    for name, text in zip(("dotnet", "harness"), texts):
                        (kept / f"{name}.log").write_text(text)
    print(f"{len(list(seeds))} solutions, {broken} differ")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
