"""Runs a command and says what it used, from a process so small that it does not show in the command's peak memory (the
kernel counts the memory of the process that starts a program as that program's).

    launch.py LIMIT COMMAND ...      prints JSON: status, seconds, cpu, peak_mb; ends the command after LIMIT seconds

seconds: wall clock; cpu: of the command and all its children; peak_mb: memory of the largest of these processes.
"""
import json
import os
import signal
import sys
import time

start = time.perf_counter()
pid = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ, setpgroup=0,
                     file_actions=[(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)])
signal.signal(signal.SIGALRM, lambda *_: os.killpg(pid, signal.SIGKILL))
signal.alarm(int(sys.argv[1]))
_, status, used = os.wait4(pid, 0)
print(json.dumps({"status": os.waitstatus_to_exitcode(status), "seconds": time.perf_counter() - start,
                  "cpu": used.ru_utime + used.ru_stime, "peak_mb": used.ru_maxrss / 1024}))
