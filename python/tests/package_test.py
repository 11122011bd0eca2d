"""Tests of the package as it is installed, which cmd/wheel_test.go runs in a virtual environment
that has numpy: what functions do wrong, kills, and that a run which is continued repeats nothing.
"""
import contextlib
import glob
import json
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import unittest

import mercer
import numpy as np

ANSWER = {"indices": [0], "coef": [[1.0]], "values": [0.5]}


def spec(function, name="of-mine", repeats=2, grid={"n": [20, 30], "m": [5], "ell": [1]}):
    return {
        "name": name, "seed": 1, "repeats": repeats,
        "datasets": [{"id": "poly2", "use": "series", "decay": {"power": 2}}],
        "grid": grid, "methods": [{"id": "mine", "use": function}], "measure": ["recon_h"],
    }


def wait(condition, what):
    for _ in range(1000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("after 10 s: " + what)


def children(pid):
    """The processes that a process has started, with those that these have started."""
    found = []
    for path in glob.glob("/proc/%d/task/*/children" % pid):
        with contextlib.suppress(OSError), open(path) as f:
            found += [int(word) for word in f.read().split()]
    return found + [inner for child in found for inner in children(child)]


def alive(pids):
    found = []
    for pid in pids:
        with contextlib.suppress(OSError), open("/proc/%d/stat" % pid) as f:
            found += [pid] if ") Z " not in f.read() else []
    return found


def records(run):
    """The rows of a run as dicts, also where pandas is there."""
    table = run.table()
    return table.to_dict("records") if hasattr(table, "to_dict") else table


class Package(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(scratch.name)

    def rows(self, function, **flags):
        run = mercer.run(spec(function), out="out", **flags)
        return run, records(run)

    def test_exception(self):
        @mercer.method(model="subspace")
        def fails(p):
            if p.n == 20:
                raise ValueError("of no use")
            return ANSWER

        run, rows = self.rows(fails)
        self.assertEqual(run.returncode, 1)
        for row in rows:
            self.assertEqual(row["status"], "failed" if row["n"] == 20 else "ok")
            if row["n"] == 20:
                self.assertIn("ValueError: of no use", row["reason"])
                self.assertRegex(row["reason"], r'package_test.py", line \d+, in fails')
                self.assertNotIn("_program.py", row["reason"])

    def test_prints(self):
        @mercer.method(model="subspace")
        def prints(p):
            print('{"ready":2}', flush=True)
            os.write(1, b"a word\n")
            return ANSWER

        run, rows = self.rows(prints, workers=2)
        self.assertEqual([row["status"] for row in rows], ["ok"] * 4)

    def test_garbage(self):
        for value, says in ((None, "NoneType"), ({"coef": "no array"}, "coef"), ({"coef": [[1.0]], "values": [float("nan")]}, "values"), ({"values": object()}, "not JSON serializable")):
            @mercer.method(model="subspace")
            def garbage(p):
                return value

            run, rows = self.rows(garbage, fresh=True)
            self.assertEqual(run.returncode, 1)
            for row in rows:
                self.assertEqual(row["status"], "failed")
                self.assertIn(says, row["reason"])

    def test_exit(self):
        @mercer.method(model="subspace")
        def leaves(p):
            sys.exit(3)

        run, rows = self.rows(leaves)
        self.assertIn("ended without an answer", rows[0]["reason"])

    def test_hangs(self):
        """A function that is out of time fails its row alone."""
        @mercer.method(model="subspace", timeout="300ms")
        def hangs(p):
            while p.n == 20:
                time.sleep(0.01)
            return ANSWER

        @mercer.method(model="subspace", timeout="300ms")
        def sleeps(p):
            time.sleep(600 if p.n == 20 else 0)
            return ANSWER

        for function in (hangs, sleeps):
            threads, began = threading.active_count(), time.time()
            run, rows = self.rows(function, workers=1)  # of two, one may wait as long as the other hangs
            self.assertLess(time.time() - began, 10)
            self.assertEqual({(row["n"], row["status"]) for row in rows}, {(20, "timeout"), (30, "ok")})
            if function is hangs:
                wait(lambda: threading.active_count() == threads, "a function that was given up is still running")

    def test_continues(self):
        """The rows of a run stay valid: neither the socket nor the number of workers is in their keys.
        The code and the numbers of the function are."""
        def fit(factor, calls):
            @mercer.method(model="subspace")
            def mine(p):
                calls.append(p.n)
                return {**ANSWER, "values": [factor * 0.5]}

            return mine

        for factor, workers, expected in ((1, 1, 4), (1, 2, 0), (2, 2, 4)):
            calls = []
            run, rows = self.rows(fit(factor, calls), workers=workers)
            self.assertEqual((len(calls), run.returncode), (expected, 0))
            self.assertEqual([row["status"] for row in rows], ["ok"] * 4)

    def test_workers(self):
        """Two workers get the numbers of one, also from the random streams of the process."""
        @mercer.method(model="subspace")
        def draws(p):
            first = np.random.rand()
            time.sleep(0.01)
            return {**ANSWER, "coef": [[1.0]], "indices": [int(10 * np.random.rand() + 10 * first)]}

        tables = []
        for workers in (1, 2):
            mercer.run(spec(draws, repeats=8), out="out%d" % workers, workers=workers)
            tables.append(mercer.command("export", "out%d" % workers))
        self.assertEqual(*tables)

    def test_isolated(self):
        @mercer.method(model="subspace")
        def mine(p):
            return ANSWER

        run, rows = self.rows(mine, isolate="process")
        self.assertEqual([row["status"] for row in rows], ["ok"] * 4)

    def test_several_kernels(self):
        @mercer.kernel
        def first(a, b):
            return np.exp(-((a[:, None] - b) ** 2).sum(axis=2))

        @mercer.kernel
        def second(a, b):
            return 2 * first(a, b)

        @mercer.method(model="subspace")
        def mine(p):
            p.kernel(p.X, p.X)
            return ANSWER

        s = spec(mine)
        s.update(datasets=[{"id": "ring", "use": "cluster-in-cluster", "population": {"held_out": 50}}], kernels=[first, second], measure=["skp_objective"])
        s["methods"].append({"id": "nystrom", "use": "nystrom", "center": "none"})
        rows = records(mercer.run(s, out="out"))
        objective = {(r["n"], r["repeat"], r["kernel"]): r["skp_objective"] for r in rows if r["method"] == "nystrom"}
        self.assertEqual(len(objective), 8)
        for n, repeat, _ in objective:
            self.assertAlmostEqual(objective[n, repeat, "second"], 2 * objective[n, repeat, "first"], 9)
        self.assertTrue(all("take p.gram, by gram: true" in r["reason"] for r in rows if r["method"] == "mine"))

    def test_refused(self):
        with self.assertRaisesRegex(mercer.Error, 'unknown key "repeat"'):
            mercer.run({"name": "x", "repeat": 3})
        with self.assertRaisesRegex(mercer.Error, "unknown flag: --no-such"):
            mercer.run("atoms-rates", no_such=1)
        self.assertEqual(os.listdir("."), [])

    def test_of_the_command_line(self):
        """A run whose spec names a function is not continued by the program alone."""
        @mercer.method(model="subspace")
        def mine(p):
            return ANSWER

        run, _ = self.rows(mine)
        with open("out/manifest.json") as f, open("again.yaml", "w") as to:
            to.write(json.load(f)["spec"])
        run = mercer.run("again.yaml", out="again")
        self.assertEqual(run.returncode, 1)

    def test_killed_mercer(self):
        """Where mercer is killed while a function sleeps, run ends."""
        @mercer.method(model="subspace")
        def sleeps(p):
            time.sleep(600)

        found = []

        def kill():
            wait(lambda: len(children(os.getpid())) > 3, "no relay")
            found.extend(children(os.getpid()))
            os.kill(found[0], signal.SIGKILL)

        threading.Thread(target=kill).start()
        began = time.time()
        with self.assertRaisesRegex(mercer.Error, "-9"):
            self.rows(sleeps)
        self.assertLess(time.time() - began, 10)
        wait(lambda: not alive(found), "processes are left: %s" % found)

    def started(self, body):
        """A Python process that runs functions, and the processes that it has started."""
        with open("program.py", "w") as f:
            f.write("import time, mercer\nfrom package_test import ANSWER, spec\n" + textwrap.dedent(body))
        path = os.path.dirname(os.path.abspath(__file__))
        process = subprocess.Popen([sys.executable, "program.py"], env={**os.environ, "PYTHONPATH": path, "TMPDIR": os.getcwd()}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.addCleanup(process.kill)
        wait(lambda: os.path.exists("begun"), "the function is not called")
        return process, children(process.pid)

    def test_killed_without_functions(self):
        """What a Python process has started ends with it, before mercer has anything to say."""
        process, found = self.started("""
            import os, threading
            def report():
                while not os.path.exists("out/records.jsonl"):
                    time.sleep(0.01)
                open("begun", "w").close()

            threading.Thread(target=report).start()
            mercer.run(spec("nystrom", repeats=10000, grid={"n": [1000], "m": [300], "ell": [1]}), out="out")
        """)
        process.kill()
        process.communicate()
        began = time.time()
        wait(lambda: not alive(found), "processes are left")
        self.assertLess(time.time() - began, 5)

    def test_killed_python(self):
        for sent in (signal.SIGKILL, signal.SIGTERM):
            process, found = self.started("""
                @mercer.method(model="subspace")
                def sleeps(p):
                    open("begun", "w").close()
                    time.sleep(600)

                mercer.run(spec(sleeps), out="out")
            """)
            self.assertGreater(len(found), 2)
            process.send_signal(sent)
            process.communicate()
            wait(lambda: not alive(found), "processes are left: %s" % alive(found))
            wait(lambda: not [name for name in os.listdir(".") if name.startswith("mercer-") and "exec" not in name], "the socket is left")
            os.remove("begun")

    def test_interrupted(self):
        """Ctrl-C ends a run when its fits are stored, and the run goes on later; a second one ends it at once."""
        body = """
            @mercer.method(model="subspace")
            def mine(p):
                open("begun", "w").close()
                time.sleep(%s)
                return ANSWER

            mercer.run(spec(mine), out="out", workers=1)
        """
        process, found = self.started(body % 1)
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=20)
        self.assertIn("KeyboardInterrupt", said)
        self.assertIn("stopped with", said)
        self.assertEqual(alive(found), [])
        rows = mercer.Run("out").table()
        self.assertTrue(0 < len(rows) < 4, rows)

        os.remove("begun")
        process, found = self.started(body % 600)
        process.send_signal(signal.SIGINT)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=20)
        self.assertIn("KeyboardInterrupt", said)
        wait(lambda: not alive(found), "processes are left")

    def tearDown(self):
        wait(lambda: not alive(children(os.getpid())), "children are left")


if __name__ == "__main__":
    unittest.main()
