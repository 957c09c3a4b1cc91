# The front door of Tenpin: `make help` says what is behind it. The build itself is CMake's;
# this file only knows the order in which to call things.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

JOBS   ?= $(shell nproc)
PREFIX ?= /usr/local
# Warnings stop the build where CI is set, not on a user's machine with a newer compiler.
CMAKE   := cmake -DTENPIN_WERROR=$(if $(CI),ON,OFF)
RELEASE := build/release
TENPIN  := build/tenpin

.PHONY: help run test build python wheel deb playground site debug asan asan-clang ubsan tsan fuzz coverage bench bench-peers determinism \
        pictures format tidy lint docs install clean packages packages-build packages-coverage packages-bench packages-peers packages-python \
        packages-package packages-playground packages-site

help:  ## list these targets
	@awk -F ':.*  ## ' '/^[a-z-]+:.*  ## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Says where the time went: recipes are expanded when their turn comes.
STARTED := $(shell date +%s)
run: build  ## build, simulate the showcase scene and write a page to open
	$(eval BUILT := $(shell date +%s))
	@mkdir -p out
	$(TENPIN) run scenes/ten-pins.yaml -o out/ten-pins.h5 --html out/ten-pins.html
	@echo "time: packages $$(($(INSTALLED) - $(STARTED))) s, build $$(($(BUILT) - $(INSTALLED))) s," \
	  "simulation and page $$(($$(date +%s) - $(BUILT))) s"
	@echo "open out/ten-pins.html"

test: packages  ## build everything and run all tests
	$(CMAKE) --preset release -DTENPIN_TESTS=ON
	cmake --build --preset release -j $(JOBS)
	@ln -sfn release/apps/tenpin/tenpin $(TENPIN)
	ctest --preset release -j $(JOBS)

VENV := build/venv
python: packages-python build  ## build the Python package into build/venv; PREFIX=user: for you alone
	cmake --build --preset release -j $(JOBS) --target tenpin_python
	tools/install_python.sh $(RELEASE) $(if $(filter user,$(PREFIX)),user,$(VENV))

wheel: packages-package build  ## build a wheel of the Python package in out/, for pip on this kind of system
	cmake --build --preset release -j $(JOBS) --target tenpin_python
	@mkdir -p out && rm -rf out/wheel && cp -r bindings/python out/wheel
	TENPIN_BUILD=$(abspath $(RELEASE)) /usr/bin/python3 -m pip wheel --quiet --no-index --no-deps \
	  --no-build-isolation --wheel-dir out out/wheel
	@rm -rf out/wheel && ls out/tenpin-*.whl

deb: packages-package build  ## build a Debian package of everything in out/
	cmake --build --preset release -j $(JOBS) --target tenpin_library tenpin_man tenpin_python
	cpack --config $(RELEASE)/CPackConfig.cmake -B out/deb
	@mv out/deb/*.deb out/ && rm -rf out/deb && ls out/tenpin_*.deb

playground: packages-playground build  ## build the engine for browsers: one page in out/playground/, tested
	tools/playground.sh $(JOBS) out/playground

site: packages-site  ## write the documentation as web pages to out/site/, with the playground if it was made
	tools/make_site.py --out out/site --playground out/playground/site --check

# Who only wants the program does not need the libraries of the tests: the first configuration
# leaves them out, and `make test` puts them in.
build: packages-build  ## build the program, build/tenpin
	$(eval INSTALLED := $(shell date +%s))
	$(CMAKE) --preset release $(if $(wildcard $(RELEASE)/CMakeCache.txt),,-DTENPIN_TESTS=OFF)
	cmake --build --preset release -j $(JOBS) --target tenpin
	@ln -sfn release/apps/tenpin/tenpin $(TENPIN)

# SHARD=3/8 runs the third of eight parts of the tests; together they are all.
SHARD ?= 1/1
debug: packages  ## build and test with assertions
asan: packages   ## build and test with the address and undefined-behaviour sanitizers; SHARD=3/8: a part of the tests
asan-clang: packages  ## the same with clang, which also finds uses of variables that are out of scope
ubsan: packages  ## build and test with the undefined-behaviour sanitizer alone
tsan: packages   ## build and test with the thread sanitizer
debug asan asan-clang ubsan tsan:
	$(CMAKE) --preset $@
	cmake --build --preset $@ -j $(JOBS)
	ctest --preset $@ -j $(JOBS) -I $(word 1,$(subst /, ,$(SHARD))),,$(word 2,$(subst /, ,$(SHARD)))

FUZZ_SECONDS ?= 60
fuzz: packages  ## fuzz every reader and small simulations, FUZZ_SECONDS (60) each, and keep what is learnt
	$(CMAKE) --preset fuzz
	cmake --build --preset fuzz -j $(JOBS)
	tools/fuzz.py --seconds $(FUZZ_SECONDS) -j $(JOBS)

coverage: packages-coverage  ## run all tests and show which lines they reach; pages in out/coverage/
	$(CMAKE) --preset coverage
	cmake --build --preset coverage -j $(JOBS)
	find build/coverage -name '*.gcda' -delete
	ctest --preset coverage -j $(JOBS)
	tools/coverage.py build/coverage out/coverage

bench: packages-bench  ## run the benchmarks; JSON goes to out/bench/
	$(CMAKE) --preset release -DTENPIN_BENCH=ON
	cmake --build --preset release -j $(JOBS) --target bench/all
	@mkdir -p out/bench
	@for program in $(RELEASE)/bench/*_bench; do \
	  "$$program" --benchmark_out=out/bench/"$${program##*/}".json; done

bench-peers: packages-peers  ## measure other engines beside us (10 min; QUICK=1: 1 min); page in out/peers/
	$(CMAKE) --preset release -DTENPIN_BENCH=ON
	cmake --build --preset release -j $(JOBS) --target bench/peers/all
	bench/peers/run.py --build $(RELEASE)/bench/peers --out out/peers $(if $(QUICK),--quick)

determinism: packages  ## compare the bits of both compilers, three optimisation levels, 1 to 16 threads, all kernels and methods
	tools/determinism.py --ways -j $(JOBS)

pictures: packages build  ## take the pictures of the README and the docs anew
	tools/pictures.py --program $(TENPIN)

format: packages  ## format all C++ files in place
	tools/format.py --fix

tidy: packages  ## run clang-tidy over all sources
	$(CMAKE) --preset release -DTENPIN_TESTS=ON
	tools/tidy.py --build $(RELEASE) -j $(JOBS)

lint: packages tidy  ## check formatting, layers, lengths, links, generated tables, and run clang-tidy
	tools/format.py
	tools/check_layers.py
	tools/check_playground.py
	tools/lint.py lengths classes words links terms
	tools/equations.py --check
	tools/gallery.py --check
	tools/benchmark_charts.py --check

docs:  ## write docs/equations.md, docs/gallery.md and the charts of the benchmarks from their sources
	tools/equations.py
	tools/gallery.py
	tools/benchmark_charts.py

install: build  ## install headers, library and program to PREFIX (/usr/local)
	cmake --build --preset release -j $(JOBS) --target tenpin_library tenpin_man
	cmake --install $(RELEASE) --prefix $(PREFIX)

clean:  ## remove build/ and out/
	rm -rf build out

packages:
	@tools/packages.sh build python package test cluster

packages-coverage:
	@tools/packages.sh build python package test cluster coverage

packages-bench:
	@tools/packages.sh build test cluster bench

packages-peers:
	@tools/packages.sh build test cluster bench peers

packages-python:
	@tools/packages.sh build python

packages-package:
	@tools/packages.sh build python package

packages-build:
	@tools/packages.sh build

packages-playground:
	@tools/packages.sh build playground

packages-site:
	@tools/packages.sh site
