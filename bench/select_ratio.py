#!/usr/bin/python3
"""What selection costs: `nysel train` with defaults against one training with what it chose.

    select_ratio.py BINARY [--repeats N] [--most ROWS] [--generated] [--out FILE]

The second run has the kernel, the bandwidth, the landmarks and, where there is one output, the C of the first, and
--search none: a single machine of the final size with its leave-one-out error. Both by turns, best of N. ratio is that
of the seconds spent after reading the file; cpu_ratio that of the processor time of the whole runs, which other load on
the machine disturbs less. Memory is the peak of the first run against what the plan predicted before it began.
"""
import argparse
import pathlib
import tempfile

import common

common.need_numpy()
GENERATED = [("banana", 10000), ("ringnorm", 20000), ("waveform", 30000), ("sinc", 50000), ("mixture", 100000)]


def generated(binary, folder, most):
    for name, rows in GENERATED:
        if rows > most:
            continue
        train, test = folder / f"{name}.csv", folder / f"{name}.t.csv"
        common.run([binary, "demo", name, "--write", train, "--rows", rows, "--seed", 1])
        common.run([binary, "demo", name, "--write", test, "--rows", 10000, "--seed", 2])
        yield f"{name} (generated)", train, test, []


def real(folder):
    magic = common.data_file("magic04")
    if magic:
        header, rows = common.read_rows(magic)
        train, test = common.random_split(rows, 0)
        common.write_rows(folder / "magic04.csv", header, train)
        common.write_rows(folder / "magic04.t.csv", header, test)
        yield "magic04", folder / "magic04.csv", folder / "magic04.t.csv", []
    adult, test = common.data_file("adult"), common.data_file("adult.t")
    if adult and test:
        yield "adult", adult, test, ["--missing", "drop"]


def work(record):
    return record["seconds"]["total"] - record["seconds"]["read"]


def error(binary, model, data, options):
    metrics = common.test(binary, model, data, *options)
    return ("rmse", metrics["rmse"]) if "rmse" in metrics else ("error", metrics["error"])


def compare(args, name, train, test, extra, folder):
    selected, single, cpu = [], [], ([], [])
    for _ in range(args.repeats):
        done, record = common.train(args.binary, train, folder / "a.nysel", *extra)
        once, alone = common.train(args.binary, train, folder / "b.nysel", *extra, *common.fixed(record))
        selected.append(record)
        single.append(alone)
        cpu[0].append(done.cpu)
        cpu[1].append(once.cpu)
    a, b = min(map(work, selected)), min(map(work, single))
    r = selected[-1]
    measure, with_search = error(args.binary, folder / "a.nysel", test, extra)
    _, without = error(args.binary, folder / "b.nysel", test, extra)
    return {"set": name, "rows": r["data"]["rows"], "inputs": r["data"]["inputs"], "landmarks": r["landmarks"],
            "tried": len(r["evaluations"]), "select_train_s": f"{a:.3f}", "one_training_s": f"{b:.3f}",
            "ratio": f"{a / b:.2f}", "cpu_ratio": f"{min(cpu[0]) / min(cpu[1]):.2f}",
            "measure": measure, "select_train_error": f"{with_search:.5f}",
            "one_training_error": f"{without:.5f}", "peak_mb": f"{max(s['peak_bytes'] for s in selected) / 1e6:.0f}",
            "predicted_mb": f"{r['predicted_bytes'] / 1e6:.0f}",
            "memory_ratio": f"{max(s['peak_bytes'] for s in selected) / r['predicted_bytes']:.2f}",
            "predicted_s": f"{r['predicted_seconds']:.1f}"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--most", type=int, default=10 ** 9, help="generated sets up to so many rows")
    parser.add_argument("--out", default=common.RESULTS / "select_ratio.csv")
    parser.add_argument("--generated", action="store_true", help="no real data")
    args = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory(prefix="nysel_bench_") as where:
        folder = pathlib.Path(where)
        for source in ([] if args.generated else real(folder), generated(args.binary, folder, args.most)):
            for case in source:
                rows.append(compare(args, *case, folder))
                print(f"{case[0]}: ratio {rows[-1]['ratio']}", flush=True)
    if not rows:
        return
    common.show(rows, list(rows[0]))
    common.save(args.out, rows, f"nysel defaults against --search none with its choice; best of {args.repeats}")


main()
