using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
internal static class Program{
 static int Main(string[] a){ var sw=Stopwatch.StartNew(); BuildHarness.Worker.SdkMSBuild.Find(); Console.WriteLine($"locate {sw.ElapsedMilliseconds}"); return Go(a,sw);} 
 static int Go(string[] a, Stopwatch sw){
  var plan=BuildHarness.Graph.GraphReader.Read(a[0], new Dictionary<string,string>{["Configuration"]="Debug"}, default);
  Console.WriteLine($"graph {plan.Projects.Count} {sw.ElapsedMilliseconds}");
  foreach(var p in plan.Projects.Take(a.Length>1?100:0)) Console.WriteLine($"{p.Id} {p.Title} [{string.Join(",",p.References)}] {string.Join(" ",p.Properties.Select(x=>x.Key+"="+x.Value.Length))}");
  var counts=new Dictionary<BuildHarness.Events.EventKind,int>(); int n=0;
  using var s=new BuildHarness.Worker.BuildSession(e=>{n++; counts[e.Kind]=counts.GetValueOrDefault(e.Kind)+1; if(e.Kind is BuildHarness.Events.EventKind.Error) Console.WriteLine(e.Message);});
  foreach(var p in plan.Projects){ var t=sw.ElapsedMilliseconds; var r=s.Build(new(p.Id,p.Path,p.Properties)); Console.WriteLine($"{p.Title} {r.Succeeded} {sw.ElapsedMilliseconds-t} {n} {r.Error}"); }
  Console.WriteLine(string.Join(" ",counts)); Console.WriteLine(sw.ElapsedMilliseconds);
  return 0; }
}
