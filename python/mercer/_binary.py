"""Calls the program mercer, which is a file of this package."""
import functools
import json
import os
import signal
import subprocess
import sys
import tempfile

BINARY = os.path.join(os.path.dirname(__file__), "bin", "mercer")

# Stops mercer should this process be killed, and removes what it served from.
GUARD = 'exec > /dev/null 2>&1; read -r line || kill -TERM "$0"; rm -rf "$1"'


class Error(Exception):
    """What mercer said when it refused, or could not do its work."""


def command(*words, **flags):
    """The standard output of a command: command("export", "my-rates", format="latex") is
    mercer export my-rates --format=latex. With json=True it is what this JSON says."""
    text = call(words, flags)[1]
    return json.loads(text) if flags.get("json") else text


advise = functools.partial(command, "advise")


def call(words, flags, text="", environment={}):
    """The exit code and the standard output of a command that gets a text. Its standard error goes
    to that of this process. Ctrl-C stops it as in a terminal, once more at once."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out:
        given.write(text.encode())
        given.seek(0)
        scratch = os.path.dirname(environment.get("MERCER_SOCKET", ""))
        start = functools.partial(subprocess.Popen, start_new_session=True)  # out of reach of the terminal's Ctrl-C
        process = start([BINARY, *words, *_options(flags)], stdin=given, stdout=out, stderr=subprocess.PIPE, encoding="utf-8", env={**os.environ, **environment})
        guard = start(["/bin/sh", "-c", GUARD, str(process.pid), scratch], stdin=subprocess.PIPE)
        said, interrupt = [], None
        try:
            while process.returncode is None:
                try:
                    for line in process.stderr:
                        said.append(line)
                        sys.stderr.write(line)
                    process.wait()
                except KeyboardInterrupt as e:
                    interrupt = e
                    process.send_signal(signal.SIGINT)
        finally:
            process.kill()
            process.communicate()
            guard.communicate(b"\n")
        out.seek(0)
        printed = out.read().decode()

    code = process.returncode
    if interrupt:
        raise interrupt
    if code not in (0, 1, 3, 4, 5) or code == 1 and not printed:
        raise Error("".join(said).strip() or "exit code %d" % code)
    return code, printed


def _options(flags):
    """The words of keyword arguments: until_decided=True is --until-decided=True."""
    for name, values in flags.items():
        for value in values if isinstance(values, list) else [values]:
            if value is not None:
                yield "--%s=%s" % (name.replace("_", "-"), value)


def main():
    """The command mercer."""
    os.execv(BINARY, ["mercer", *sys.argv[1:]])
