#!/usr/bin/python3
"""Liu et al. 2018 with dense matrices, as printed but for its errata: an independent form of nysel's bif and fbif.

    bif_dense.py BINARY [FILE]     compares nysel's values with these on FILE (housing): relative differences

t-BIF, eq. 6 and 7: f and the inverse exact. t-FBIF, eq. 11: f and K exact, the inverse of low rank, V V' = K~.
    squared loss   L = lambda I + K/n,                 B_i = L^-1 (K_{:,i} (y - f)_i / m - lambda f)
    rounded hinge  L = 2 lambda I + K I0 / (2 h n),    B_i = L^-1 (-K_{:,i} V'_i / m - 2 lambda f)
and the value of row j of fold i is f_j + B_ji / (1 - t). Errata: the print has + before K V' in section 3.3, and section
4 drops I0, the restriction to rows with |1 - y f| < h, from the inverse. No bias, as in the paper.
"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent))
import common  # noqa: E402

np = common.need_numpy()


def kernel(X, Z, sigma):
    """exp(-|x-z|^2 / (2 sigma^2)); the paper's sigma is the square of this one."""
    d2 = (X ** 2).sum(1)[:, None] + (Z ** 2).sum(1)[None, :] - 2 * X @ Z.T
    return np.exp(-np.maximum(d2, 0) / (2 * sigma ** 2))


def low_rank(KZ, W):
    """V of eq. 10: K~ = V V', from the columns K(X,Z) and their own part W = K(Z,Z)."""
    values, U = np.linalg.eigh(W)
    keep = values > 1e-10 * values[-1]
    return KZ @ U[:, keep] / np.sqrt(values[keep])


def krr(K, y, lam):
    """The exact machine: f = K (K + n lambda I)^-1 y."""
    n = len(y)
    return K @ np.linalg.solve(K + n * lam * np.eye(n), y)


def held_squared(K, y, f, lam, folds, V=None):
    """What the machines without each row's fold say of it, eq. 6 (V None) or 11. folds: the fold of each row."""
    n, t, held = len(y), folds.max() + 1, f.copy()
    for i in range(t):
        inside = folds == i
        right = K[:, inside] @ (y - f)[inside] / inside.sum() - lam * f
        if V is None:
            B = np.linalg.solve(lam * np.eye(n) + K / n, right)
        else:
            B = (right - V @ np.linalg.solve(n * lam * np.eye(V.shape[1]) + V.T @ V, V.T @ right)) / lam
        held[inside] += B[inside] / (1 - n / inside.sum())  # t where folds are of equal size
    return held


def held_hinge(K, y, f, lam, h, folds, V=None):
    """Eq. 7 (V None) or 11 for the hinge rounded off over |1 - y f| < h, f being the machine's exact outputs."""
    n, t, held, margin = len(y), folds.max() + 1, f.copy(), y * f
    corner = (abs(1 - margin) < h).astype(float)
    slope = -y * np.clip((1 + h - margin) / (2 * h), 0, 1)
    low = K if V is None else V @ V.T
    for i in range(t):
        inside = folds == i
        right = -K[:, inside] @ slope[inside] / inside.sum() - 2 * lam * f
        B = np.linalg.solve(2 * lam * np.eye(n) + low * corner[None, :] / (2 * h * n), right)
        held[inside] += B[inside] / (1 - n / inside.sum())
    return held


def nysel_value(binary, file, fold_file, sigma, C, criterion, landmarks, folder):
    model, report = folder / "m.nysel", folder / "r.json"
    subprocess.run([binary, "train", file, "-o", model, "--json", report, "--machine", "krr", "--kernel", "rbf",
                    "--bandwidth", f"{sigma:.17g}", "--C", f"{C:.17g}", "--search", "none", "--criterion", criterion,
                    "--fold-file", fold_file, "--landmarks", str(landmarks), "--landmark-method", "uniform"],
                   check=True, capture_output=True)
    return json.loads(report.read_text())["criterion"]["value"], np.load(model)


def main():
    binary = sys.argv[1]
    header, rows = common.read_all(sys.argv[2] if len(sys.argv) > 2 else "housing")
    rows = rows[:300]
    values = np.array(rows, float)
    folds = np.arange(len(rows)) % 5
    worst = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        file, fold_file = folder / "d.csv", folder / "f.txt"
        file.write_text("\n".join([",".join(header), *(",".join(map(str, row)) for row in rows)]) + "\n")
        fold_file.write_text("".join(f"{fold}\n" for fold in folds))
        for sigma, C, landmarks in [(2, 1, 30), (2, 100, 30), (6, 1000, 60), (1, 0.1, "all")]:
            value, model = nysel_value(binary, file, fold_file, sigma, C, "fbif", landmarks, folder)
            X, y = (values[:, :-1] - model["scale_shift"]) * model["scale_factor"], values[:, -1]
            lam, K, Z = 1 / (len(y) * C), kernel(X, X, sigma), model["landmarks"]
            V = low_rank(kernel(X, Z, sigma), kernel(Z, Z, sigma))
            held = held_squared(K, y, krr(K, y, lam), lam, folds, V)
            own = ((y - held) ** 2).mean()
            worst = max(worst, abs(value / own - 1))
            print(f"bandwidth {sigma} C {C} landmarks {landmarks}: nysel {value:.10g} dense {own:.10g}")
    print(f"largest relative difference {worst:.1e}")
    return 0 if worst < 1e-6 else 1


if __name__ == "__main__":
    sys.exit(main())
