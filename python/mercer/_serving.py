"""Answers mercer's requests by functions of this process, over a socket."""
import contextlib
import ctypes
import os
import socket
import socketserver
import sys
import tempfile
import threading


class Turn:
    """One function at a time runs: Python's and NumPy's random streams belong to the process."""

    def __init__(self):
        self.change, self.thread = threading.Condition(), None

    def __enter__(self):
        with self.change:
            self.change.wait_for(lambda: self.thread is None)
            self.thread = threading.current_thread()

    def __exit__(self, *error):
        self.end(threading.current_thread())

    def end(self, thread):
        """Ends the turn of a thread, and says whether it had it."""
        with self.change:
            had = self.thread is thread
            if had:
                self.thread = None
                self.change.notify()
            return had


class Server(socketserver.ThreadingUnixStreamServer):
    daemon_threads, request_queue_size = True, 128


@contextlib.contextmanager
def serving(functions):
    """Serves Functions, by their names, until the block ends. It gives the variables that relays
    need. Each relay has a thread here, and passes its standard streams."""
    if not functions:
        yield {}
        return
    from ._program import answering  # needs numpy

    kernels, turn = [f.__wrapped__ for f in functions.values() if f.call == "kernel"], Turn()

    class Relay(socketserver.BaseRequestHandler):
        def handle(self):
            name, streams, *_ = socket.recv_fds(self.request, 4096, 3)
            threading.Thread(target=self.watch, args=[threading.current_thread()], daemon=True).start()
            function = functions[name.decode()]
            serves = {"kernel": kernels[0] if len(kernels) == 1 else None, function.call: function.__wrapped__}
            with contextlib.suppress(OSError), contextlib.ExitStack() as files:  # mercer may be gone
                requests, answers, errors = [files.enter_context(open(s, mode, encoding="utf-8")) for s, mode in zip(streams, "rww")]
                answering(requests, answers, errors, turn, **serves)

        def watch(self, thread):
            """Gives up a function whose relay was killed. It ends when it next runs code of Python."""
            self.request.recv(1)
            if turn.end(thread):
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(SystemExit))

    with tempfile.TemporaryDirectory(prefix="mercer-") as directory, Server(os.path.join(directory, "socket"), Relay) as server:
        threading.Thread(target=server.serve_forever, args=[0.05], daemon=True).start()
        try:
            yield {"MERCER_PYTHON": sys.executable, "MERCER_RELAY": os.path.join(os.path.dirname(__file__), "_relay.py"), "MERCER_SOCKET": server.server_address}
        finally:
            server.shutdown()
