"""Passes its standard streams to the process that has a function, and waits until that is done."""
import os
import socket
import sys

caller = socket.socket(socket.AF_UNIX)
caller.connect(os.environ["MERCER_SOCKET"])
socket.send_fds(caller, [sys.argv[1].encode()], [0, 1, 2])
caller.recv(1)
