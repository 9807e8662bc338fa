# Thin front of CMake. `make` builds build/nysel; `make demo` and `make test` install what is missing first.
BUILD ?= build
JOBS  ?= $(shell nproc)
DEB    = gcc make cmake pkg-config python3 libopenblas-openmp-dev librandom123-dev libjansson-dev libnlopt-dev \
         libzip-dev zlib1g-dev libcmocka-dev
DEB_PEERS = libsvm-tools liblinear-tools python3-numpy python3-sklearn r-base-core
DEB_BENCH = $(DEB_PEERS) r-cran-kernlab valgrind
DEB_LINT  = clang-format clang-tidy
DEB_FUZZ  = clang libclang-rt-14-dev libomp-dev

all: deps
	@cmake --preset release -B $(BUILD) > /dev/null && cmake --build $(BUILD) -j $(JOBS) -- --no-print-directory -s

# Asks dpkg first, so that a machine that has everything needs neither root nor a network.
deps:          ; @scripts/install_deps.sh $(DEB)
deps-peers:    ; @scripts/install_deps.sh $(DEB_PEERS)
deps-bench:    ; -@scripts/install_deps.sh $(DEB_BENCH)

demo: all      ; @$(BUILD)/nysel demo
test: all
	@scripts/check_tree.sh before $(BUILD)
	@cd $(BUILD) && ctest --output-on-failure -j $(JOBS)
	@scripts/check_tree.sh after $(BUILD)
# Deliberate faults, one at a time: none of tests/mutants may pass all tests (CONTRIBUTING.md). MUTANTS="a b" tries these.
mutants: deps  ; @scripts/mutate.sh --build $(BUILD) $(MUTANTS)
test-peers: all deps-peers
	@python3 tests/peers/run.py $(BUILD)/nysel
# The whole of `make test` with memory errors, leaks and undefined behaviour looked for; long tests try less. Our own exit
# statuses are 0 to 3, so 99 is always a report. OpenBLAS is not instrumented.
test-asan: deps
	@cmake --preset asan > /dev/null && cmake --build build-asan -j $(JOBS) -- --no-print-directory -s
	@cd build-asan && NY_TEST_SMALL=1 OMP_WAIT_POLICY=passive ASAN_OPTIONS=exitcode=99:detect_leaks=1 \
	   LSAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99:halt_on_error=1:print_stacktrace=1 \
	   ctest --output-on-failure -j $(JOBS)
# Our threads are pthreads (base/threads.c), which the thread sanitizer sees; OpenBLAS gets one thread under them.
test-tsan: deps
	@cmake --preset tsan > /dev/null && cmake --build build-tsan -j $(JOBS) -- --no-print-directory -s
	@cd build-tsan && NY_TEST_SMALL=1 OMP_WAIT_POLICY=passive TSAN_OPTIONS=exitcode=99 \
	   ctest --output-on-failure -j $(JOBS)
test-sanitize: test-asan test-tsan
fuzz:
	@scripts/install_deps.sh $(DEB) $(DEB_FUZZ)
	@cmake --preset fuzz > /dev/null && cmake --build build-fuzz -j $(JOBS) && scripts/run_fuzz.sh build-fuzz 60
# PARTS="stage scale" runs only these; bench-quick leaves bench/results alone.
bench: all deps-bench
	@bench/run.sh $(BUILD) $(PARTS)
bench-quick: all deps-bench
	@bench/run.sh $(BUILD) --quick $(PARTS)
guard: all
	@scripts/install_deps.sh valgrind
	@python3 bench/guard/guard.py $(BUILD)/nysel
install: all   ; @cmake --install $(BUILD)
docs: all
	@scripts/generate_docs.sh $(BUILD)/nysel
	@python3 scripts/run_examples.py $(BUILD)/nysel --write README.md docs/guide/*.md
format:        ; @scripts/install_deps.sh $(DEB_LINT); clang-format -i $$(git ls-files '*.c' '*.h')
lint: all      ; @scripts/install_deps.sh $(DEB_LINT); clang-tidy -quiet -p $(BUILD) $$(git ls-files 'src/*.c' 'cli/*.c')
clean:         ; rm -rf build build-*

.PHONY: all deps deps-peers deps-bench demo test mutants test-peers test-asan test-tsan test-sanitize fuzz bench bench-quick guard \
        install docs format lint clean
