#!/bin/sh
# What bench/tabular.py compares with, below the build folder: install.sh [BUILD]
# BUILD/venv-tabular: scikit-learn, LightGBM, XGBoost, CatBoost of PyPI; with --xrfm also xRFM, whose torch of PyPI brings
# some gigabytes of libraries for graphics cards where the index of CPU wheels cannot be reached.
# BUILD/rlib: data of Debian's R packages, taken out of the packages, nothing is installed. What cannot be had is said and
# left out; bench/tabular.py then says `skipped`.
cd "$(dirname "$0")/../.." || exit 1
xrfm=
[ "$1" != --xrfm ] || { xrfm=yes && shift; }
build=${1:-build}
venv=$build/venv-tabular
python=/usr/bin/python3
[ -x $python ] || python=python3
mkdir -p "$build/rlib" && [ -x "$venv/bin/python" ] || $python -m venv "$venv" || exit 1
for package in numpy scikit-learn lightgbm xgboost catboost; do
    "$venv/bin/pip" install -q --disable-pip-version-check $package || echo "not installed: $package"
done
if [ -n "$xrfm" ]; then
    "$venv/bin/pip" install -q --retries 0 torch --index-url https://download.pytorch.org/whl/cpu 2>/dev/null || echo "torch of PyPI"
    "$venv/bin/pip" install -q xrfm || echo "not installed: xrfm"
fi
cd "$build/rlib" || exit 1
for package in mlbench mass kernlab rpart modeldata cardata aer ggplot2; do
    set -- r-cran-${package}_*.deb
    if [ -f "$1" ] || apt-get download -qq "r-cran-$package" 2>/dev/null; then
        set -- r-cran-${package}_*.deb
        dpkg-deb -x "$1" .
    else
        echo "not found: r-cran-$package"
    fi
done
