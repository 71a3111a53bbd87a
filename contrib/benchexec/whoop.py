"""Tool-info module of Whoop for BenchExec 3.3 or later.

Put this file where Python finds it and name it in a benchmark definition: <benchmark tool="whoop" ...>, with the
directory of the whoop program in PATH or given by --tool-directory. Options of the definition are handed on.
"""

import re

import benchexec.result as result
import benchexec.tools.template

# The one line "whoop check" answers with.
ANSWER = re.compile(r"^(TRUE|FALSE|UNKNOWN)(?:\((.*)\))?$")

# The exit status that goes with each answer.
STATUS = {"TRUE": 0, "FALSE": 1, "UNKNOWN": 3}


class Tool(benchexec.tools.template.BaseTool2):
    """How BenchExec runs Whoop and reads its answers."""

    def name(self):
        return "Whoop"

    def executable(self, tool_locator):
        return tool_locator.find_executable("whoop")

    def version(self, executable):
        return self._version_from_tool(executable, arg="version", line_prefix="whoop ")

    def cmdline(self, executable, options, task, rlimits):
        line = [executable, "check", *options]
        if task.property_file:
            line += ["--property", task.property_file]
        model = task.options.get("data_model") if isinstance(task.options, dict) else None
        if model is not None:
            if model not in ("ILP32", "LP64"):
                raise benchexec.tools.template.UnsupportedFeatureException(f"data model {model!r} is neither ILP32 nor LP64")
            line += ["--data-model", model]
        return [*line, task.single_input_file]

    def determine_result(self, run):
        if run.was_terminated:
            return result.RESULT_UNKNOWN  # BenchExec says itself which limit it was
        answers = {line for line in run.output if ANSWER.match(line)}
        if len(answers) > 1:
            return "ERROR (several answers)"
        status = run.exit_code.value  # None where a signal ended the program
        if not answers:
            return "ERROR (no answer)" if status == 0 else result.RESULT_ERROR
        kind, detail = ANSWER.match(answers.pop()).groups()
        if status != STATUS[kind]:
            return f"ERROR (exit status {status} with {kind})"
        if kind == "TRUE":
            return result.RESULT_TRUE_PROP
        if kind == "FALSE":
            return f"{result.RESULT_FALSE_PROP}({detail})" if detail else result.RESULT_FALSE_PROP
        return result.RESULT_UNKNOWN
