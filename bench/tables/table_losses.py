"""The loss of every test row of bench/tabular.py, packed into a line of tabular_losses.csv.

Classes: one bit for each row, wrong or not, of at most 5000 rows. Numbers: absolute errors over their RMSE in half
precision, of at most 1000 rows. These are the first ones, enough to know the variance of a difference. Two methods that
saw the same split can so be compared row by row at any time.
"""
import base64
import math
import zlib

import numpy as np

KEY = ["set", "split", "method", "max_rows"]
COLUMNS = [*KEY, "version", "losses"]
MOST = {"classes": 5000, "numbers": 1000}  # rows


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


def of(task, found, truth):
    """Squared errors, or 1 where the class is wrong: labels agree as texts or as numbers."""
    if len(found) != len(truth):
        raise ValueError(f"{len(found)} predictions for {len(truth)} rows")
    if task == "numbers":
        loss = (np.array(found, float) - np.array(truth, float)) ** 2
        if not np.isfinite(loss).all():
            raise ValueError("a prediction is not a number")
        return loss
    same = lambda a, b: a == b or (number(a) is not None and number(a) == number(b))
    return np.array([not same(a, b) for a, b in zip(found, truth)], float)


def beside(path):
    """The file of losses that belongs to a file of results."""
    return path.with_name(path.stem + "_losses.csv")


def packed(row, loss):
    some = loss[:MOST[row["task"]]]
    if row["task"] == "classes":
        raw = np.packbits(some.astype(bool)).tobytes()
    else:
        raw = (np.sqrt(some) / (math.sqrt(loss.mean()) or 1)).astype(np.float16).tobytes()
    return {**{c: row[c] for c in (*KEY, "version")}, "losses": base64.b64encode(zlib.compress(raw, 9)).decode()}


def unpacked(row, text):
    """The losses again: of numbers squared errors, rounded."""
    raw, n = zlib.decompress(base64.b64decode(text)), min(int(row["test_rows"]), MOST[row["task"]])
    if row["task"] == "classes":
        return np.unpackbits(np.frombuffer(raw, np.uint8))[:n].astype(float)
    return (np.frombuffer(raw, np.float16)[:n].astype(float) * float(row["error"])) ** 2
