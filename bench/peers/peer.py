"""What the peers' scripts share: SCRIPT FOLDER PROCESSES WAY [quick] reads the files that data.prepare wrote, and
leaves prediction.txt (one number for each test row) and result.json behind. Standard library only."""
import json
import os
import pathlib
import resource
import sys
import time

ABSENT = 77  # exit status: the program is not installed


def arguments():
    """Folder, processes, way, and whether a coarse grid will do: only to see that all works."""
    return pathlib.Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4:] == ["quick"]


def about(folder):
    """task is "classes" or "numbers"."""
    return json.loads((folder / "split.json").read_text())


def arrays(folder):
    """Training inputs and targets, test inputs."""
    import numpy as np
    y = np.array((folder / "train.y").read_text().split(), float)
    return np.load(folder / "train.npy"), y, np.load(folder / "test.npy")


def absent(what):
    print(f"{what} is not installed", file=sys.stderr)
    sys.exit(ABSENT)


def cpu():
    """Processor time of this process and of the children it has waited for."""
    both = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(used.ru_utime + used.ru_stime for used in both)


def finish(folder, predict, machine, chosen, note=""):
    """Predicts (predict writes prediction.txt itself, or returns the numbers) and says how long that took: the runner
    takes it off, because what is compared is selection and training."""
    start, used = time.perf_counter(), cpu()
    found = predict()
    if found is not None:
        (folder / "prediction.txt").write_text("".join(f"{v:.10g}\n" for v in found))
    (folder / "result.json").write_text(json.dumps({
        "machine": machine, "chosen": chosen, "note": note, "predict_seconds": time.perf_counter() - start,
        "predict_cpu": cpu() - used}))


def environment(processes):
    """For the programs: threads of BLAS and OpenMP. Two processes: joblib shares the cores among them by itself."""
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    clean = {k: v for k, v in os.environ.items() if k not in names}
    return {**clean, **{name: "1" for name in names}} if processes == 1 else clean
