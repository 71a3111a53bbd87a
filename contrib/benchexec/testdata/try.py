"""Calls whoop.py as BenchExec would, and prints what it gives as lines of JSON."""

import json
from types import SimpleNamespace as Record

import whoop

tool = whoop.Tool()
locator = Record(find_executable=lambda name: "bin/" + name)
exe = tool.executable(locator)


def task(prop, options):
    return Record(single_input_file="a.c", input_files=["a.c"], property_file=prop, options=options)


def answer(lines, status, terminated=False):
    run = Record(cmdline=[], exit_code=Record(value=status), output=lines, was_terminated=terminated)
    return tool.determine_result(run)


def show(what, value):
    print(json.dumps([what, value]))


show("name", tool.name())
show("version", tool.version(exe))
show("plain", tool.cmdline(exe, [], task(None, None), None))
show("all", tool.cmdline(exe, ["--engine", "bmc"], task("r.prp", {"language": "C", "data_model": "ILP32"}), None))
show("no model", tool.cmdline(exe, [], task("r.prp", {"language": "C"}), None))
try:
    show("bad model", tool.cmdline(exe, [], task("r.prp", {"data_model": "LLP64"}), None))
except Exception as e:
    show("bad model", type(e).__name__)
show("true", answer(["TRUE"], 0))
show("false", answer(["note: x", "FALSE(no-data-race)"], 1))
show("false alone", answer(["FALSE"], 1))
show("unknown", answer(["UNKNOWN(loop at f (a.c:3))"], 3))
show("status", answer(["TRUE"], 1))
show("signal", answer(["TRUE"], None))
show("two", answer(["TRUE", "FALSE(unreach-call)"], 0))
show("same twice", answer(["TRUE", "TRUE"], 0))
show("none", answer(["it is TRUE"], 0))
show("error", answer([], 2))
show("limit", answer(["TRUE"], None, terminated=True))
