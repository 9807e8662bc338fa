#!/usr/bin/python3
"""Compares nysel with independent programs: scikit-learn, numpy, LIBSVM, R.   run.py BINARY [NAME ...]

Every check is one line, the last line is 'N passed, M failed' and the exit status says the same. The data are those
that ship with scikit-learn; sets of the folder NYSEL_DATA (default: ../shared/data beside the repository) are used too
when they are there. NAME: only the files check_NAME.py.
"""
import importlib
import os
import sys
import tempfile
import time
import traceback

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # idle threads, ours or numpy's, should not slow down the others
try:
    import numpy
    import sklearn
except ImportError:  # the first python3 in PATH may not be Debian's, which has them
    if os.environ.get("NYSEL_REEXEC") or not os.path.exists("/usr/bin/python3"):
        sys.exit("numpy and scikit-learn are needed: make deps-peers")
    os.environ["NYSEL_REEXEC"] = "1"
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])

import peer

CHECKS = ["ridge", "posterior", "heldout", "lssvm", "nystrom", "metrics", "reading", "libsvm", "plugin", "evidence",
          "losses", "bias", "surfaces", "path", "scale"]


def main():
    if len(sys.argv) < 2 or not os.access(sys.argv[1], os.X_OK):
        sys.exit(__doc__)
    results = peer.Results()
    start = time.time()
    for name in sys.argv[2:] or CHECKS:
        module = importlib.import_module("check_" + name)
        print(f"-- {module.__doc__.splitlines()[0]}", flush=True)
        with tempfile.TemporaryDirectory(prefix="nysel_peers_") as folder:
            tool = peer.Nysel(os.path.abspath(sys.argv[1]), folder)
            try:
                module.run(tool, results)
            except Exception:
                results.check(f"{name}: runs to its end", False, traceback.format_exc())
    print(f"{time.time() - start:.0f} s")
    print(f"{results.passed} passed, {results.failed} failed")
    sys.exit(results.failed > 0)


main()
