# Thin: every target is a few words about CMake or a script. `make` alone lists them.

PRESET ?= release
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 60
SOAK_SECONDS ?= 3600
SOAK_FRAMES ?= 3000

build_dir = $(if $(filter release,$(PRESET)),build,build/$(PRESET))

.PHONY: help setup build demo test bench bars rows web format tidy sanitize fuzz soak install clean

help: ## list the targets
	@echo "make TARGET, where TARGET is one of"
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | awk -F '\t' '{ printf "  %-10s %s\n", $$1, $$2 }'

setup: ## install the Debian packages that building and testing need
	@scripts/setup build demo test

build: setup ## build library, command line, tests and benchmarks (PRESET=release, dev, asan, tsan, double, minimal)
	@cmake --preset $(PRESET) > /dev/null
	@cmake --build $(build_dir) -j $(JOBS)

demo: ## build the command line, simulate the default scene, leave movie, GLB, report and recording in out/wall/
	@scripts/setup build demo
	@cmake --preset release > /dev/null
	@cmake --build build -j $(JOBS) --target sunder_cli
	@build/bin/sunder demo

test: ## build, run every check and every test; the last line counts them
	@scripts/setup build demo test
	@scripts/setup interop || echo "Blender or node could not be installed: their tests say that they were not run"
	@scripts/setup web || echo "emscripten or chromium could not be installed: the tests of the playground say that they were not run"
	@scripts/test --jobs $(JOBS)

bench: ## time the benchmark scenes beside the peers that are installed
	@scripts/setup build bench
	@cmake --preset release > /dev/null
	@cmake --build build -j $(JOBS)
	@scripts/bench

bars: ## print the table of what the engine must hold, measured now
	@scripts/setup build
	@cmake --preset release > /dev/null
	@cmake --build build -j $(JOBS) --target sunder_bars
	@build/bin/sunder_bars

rows: ## switch the feature of each row of the paper pages off; lists rows whose tests pass all the same
	@scripts/setup build
	@scripts/check_rows --jobs $(JOBS)

web: ## build the browser playground into build/web; build/bin/sunder view opens it
	@scripts/setup build web
	@cmake --preset release > /dev/null
	@cmake --build build -j $(JOBS) --target sunder_cli
	@scripts/web $(JOBS)

format: setup ## rewrite sources with clang-format
	@scripts/format

tidy: setup ## run clang-tidy over the sources that changed since it last passed
	@cmake --preset release > /dev/null
	@scripts/tidy --jobs $(JOBS)

sanitize: setup ## run the tests under ASan + UBSan and under TSan
	@scripts/sanitize asan tsan

fuzz: ## fuzz every target of tests/fuzz for FUZZ_SECONDS each
	@scripts/setup build fuzz
	@cmake --preset fuzz > /dev/null
	@cmake --build build/fuzz -j $(JOBS) --target fuzz_targets
	@scripts/fuzz $(FUZZ_SECONDS)

soak: setup ## random worlds for SOAK_SECONDS, then every bundled scene for SOAK_FRAMES frames, with invariants checked
	@cmake --preset release > /dev/null
	@cmake --build build -j $(JOBS) --target sunder_cli sunder_soak
	@scripts/soak --seconds $(SOAK_SECONDS) --frames $(SOAK_FRAMES)

install: ## install the release build under PREFIX
	@scripts/setup build
	@cmake --preset release > /dev/null
	@cmake --build build -j $(JOBS)
	@cmake --install build --prefix $(PREFIX)

clean: ## remove what was built
	@rm -rf build
