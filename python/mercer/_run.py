"""Runs an experiment, and reads what a run has left in its directory."""
import html
import json
import os

from ._binary import call, command
from ._functions import plain
from ._serving import serving


def run(spec, out=None, profile=None, set={}, **flags):
    """Runs a spec (the path of a YAML file, the name of a built-in experiment, or a dict, whose relative
    paths start from the current directory), as mercer run does, and gives the Run. Progress goes to
    standard error. set changes the spec, as in {"repeats": 50, "grid.n": [1000, 2000]}; flags are
    those of mercer run, e.g. workers=2, until_decided=True. Raises Error where mercer refuses the
    spec. A Run with failed rows (returncode 1) or a violated claim (3) is no error."""
    functions, text = {}, ""
    if isinstance(spec, dict):
        spec, text = "-", json.dumps(plain(spec, functions), indent=1)
    flags.update(out=out, profile=profile, set=["%s=%s" % (key, json.dumps(value)) for key, value in set.items()], json=True)
    with serving(functions) as environment:
        returncode, printed = call(["run", spec], flags, text, environment)
    return Run(out or json.loads(printed)["directory"], returncode)


class Run:
    """What a run has left in its directory. Run("results/my-rates/paper") opens an earlier one."""

    def __init__(self, directory, returncode=0):
        self.directory, self.returncode = os.path.abspath(directory), returncode

    def table(self):
        """The rows of the run: columns of the grid, repeat, status, reason, and each metric. A pandas
        DataFrame where pandas is installed, else a list of dicts."""
        rows = map(json.loads, command("export", self.directory, format="jsonl").splitlines())
        rows = [{**row["at"], **{key: row.get(key) for key in ("repeat", "status", "reason")}, **row.get("metrics", {})} for row in rows]
        try:
            import pandas
        except ImportError:
            return rows
        return pandas.DataFrame(rows)

    def verdicts(self):
        """The verdicts on the claims, dicts as mercer check --json has them."""
        return command("check", self.directory, json=True)

    def answers(self):
        """The answers to the targets, dicts, such as the least m that suffices."""
        return command("report", self.directory, json=True).get("answers", [])

    def report(self):
        """The report, which is written again."""
        return Report(command("report", self.directory, json=True)["report"])

    def __str__(self):
        return command("check", self.directory)

    def __repr__(self):
        return "Run(%r, returncode=%d)" % (self.directory, self.returncode)

    def _repr_html_(self):
        return self.report()._repr_html_()


class Report(str):
    """The path of a report, one HTML page. In a notebook the page is shown."""

    def _repr_html_(self):
        with open(self, encoding="utf-8") as page:
            return '<iframe srcdoc="%s" style="width: 100%%; height: 600px; border: 0"></iframe>' % html.escape(page.read())
