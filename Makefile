# make run: build, then verify an example driver with a race and its repaired twin. make test: the tests, with a share
# of the long ones. make test-all: all of all.
SHELL := /bin/bash
GO ?= go
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
FUZZTIME ?= 60s

.PHONY: run build install image test test-all race bench results counts protocols modules reduction page-test svcomp lint fuzz fuzz-engines kernel tsan gorace boogie-check cvc5-check deps clean

build: deps
	$(GO) build -o bin/ ./cmd/whoop ./cmd/whoop-vet

# install: the programs, man pages and completion for bash, zsh and fish, below PREFIX (DESTDIR for packages).
PREFIX ?= /usr/local
install: build
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share
	install bin/whoop bin/whoop-vet $(DESTDIR)$(PREFIX)/bin
	bin/whoop man $(DESTDIR)$(PREFIX)/share

# image: an OCI image of whoop, where docker, podman or buildah is there.
IMAGE ?= whoop
BUILDER ?= $(firstword $(foreach b,docker podman buildah,$(if $(shell command -v $(b) 2>/dev/null),$(b))))
image:
	@[ -n "$(BUILDER)" ] || { echo "no builder of images: install docker, podman or buildah" >&2; exit 1; }
	$(BUILDER) build -t $(IMAGE) -f contrib/oci/Containerfile .

# deps installs Z3's library where it is missing (Debian).
deps:
	@[ -e /usr/include/z3.h ] || { echo "installing libz3-dev"; $(SUDO) apt-get update -qq && $(SUDO) apt-get install -y -qq libz3-dev; } \
	  || { echo "libz3-dev is missing and could not be installed: install Z3 4.8 or later with its headers" >&2; exit 1; }

# The racy driver makes whoop exit with status 1: that is expected here.
run: build
	@echo "== examples/driver/logdev_racy.c"; bin/whoop verify examples/driver/logdev_racy.c; [ $$? -eq 1 ]
	@echo; echo "== examples/driver/logdev.c, repaired"; bin/whoop verify examples/driver/logdev.c

test: deps
	$(GO) vet ./...
	$(GO) test -timeout 60m ./...

# test-all: the long tests as a whole (internal/testscope), with random programs of a seed of the day. It takes hours.
test-all: deps
	$(GO) vet ./...
	WHOOP_TESTS=all WHOOP_SEED=$(or $(SEED),$$(date +%Y%m%d)) $(GO) test -timeout 6h ./...

race: deps
	$(GO) test -race -short -timeout 60m ./...

bench: deps
	$(GO) test -run '^$$' -bench . -benchtime 1x ./...
	$(MAKE) reduction

# reduction: what the proofs save bmc on each driver: yield points and seconds of all, epp and mr, and scatter plots. It takes hours.
reduction: deps
	$(GO) run ./benchmarks/reduction -csb $(or $(CSB),2,5,9) -timeout $(or $(TIMEOUT),60s) -out out/bench

# modules: popular Go modules, downloaded: what points-to takes, and how many pairs are decided.
modules: build
	benchmarks/modules/run.sh out/modules $(or $(TIMEOUT),120s) $(MODULES)

# page-test: the HTML pages of whoop in Chromium, where there is one (Debian: apt-get install chromium).
page-test:
	$(GO) test -count=1 -v -run Browser ./bench/page ./report

# svcomp: our own tasks in the style of SV-COMP, scored; with TASKS=DIRECTORY, those there.
svcomp: build
	bin/whoop bench $(or $(TASKS),benchmarks/svcomp/all.set) --timeout $(or $(TIMEOUT),60s) --jobs 2 -o out/svcomp

# results: docs/results.md, measured anew (hours, most of them for SUITES). SUITES="NAME=DIRECTORY ..." are further suites of tasks for check;
# the drivers of make kernel and the modules of make modules are measured where they are there. What the runs wrote is in out/results; PAGE=1 runs nothing.
results: build
ifndef PAGE
	for s in own=benchmarks/svcomp/all.set $(SUITES); do bin/whoop bench $${s#*=} --timeout $(or $(TIMEOUT),20s) -o out/results/check/$${s%%=*} || [ $$? -eq 1 ] || exit 1; done
	$(GO) test -run '^$$' -bench Optimal -benchtime 1x ./explore/dpor > out/results/explore.txt
endif
	$(GO) run ./benchmarks/results $(if $(PAGE),-page-only)

# counts: numbers of executions against closed forms, at all sizes, and against what GenMC and Nidhugg expect of their own tests:
# GENMC=DIRECTORY is tests/correct of MPI-SWS/genmc, NIDHUGG=DIRECTORY tests/smoke of nidhugg/nidhugg (benchmarks/counts/README.md).
counts: build
	$(GO) test -count=1 -run TestClosedForms -timeout 30m ./explore/dpor -all
	[ -z "$(GENMC)" ] || $(GO) run ./benchmarks/counts -table benchmarks/counts/genmc.tsv $(COUNTS) $(GENMC)
	[ -z "$(NIDHUGG)" ] || $(GO) run ./benchmarks/counts -table benchmarks/counts/nidhugg.tsv $(COUNTS) $(NIDHUGG)

# protocols: the bugs that are seeded in benchmarks/protocols, by each strategy of explore; the table of its README.
protocols: deps
	$(GO) run ./benchmarks/protocols -states $(or $(STATES),20000)

lint:
	@test -z "$$(gofmt -l . | tee /dev/stderr)"
	$(GO) vet ./...

fuzz: deps
	@for p in $$($(GO) list ./...); do for f in $$($(GO) test -list '^Fuzz' $$p | grep '^Fuzz'); do \
	  echo "== $$p $$f"; $(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 5x $$p || exit 1; done; done

# fuzz-engines: random programs without end, bmc against the plain search of all schedules; it stops at the first disagreement.
fuzz-engines: deps
	@for s in $$(seq $$(date +%s) 5000 9999999999); do $(GO) test ./bmc -run TestEngines -count=1 -timeout 0 -programs 5000 -seed $$s || exit 1; done

# kernel: two drivers of Linux 6.1 as Debian has them, preprocessed with the headers of linux-headers-amd64.
kernel: build
	benchmarks/kernel/run.sh out/kernel

# tsan: the racy programs of the corpus under ThreadSanitizer, which must see their races, and the others, where it must see none. Of
# programs with tables of answers those that have no race.
tsan:
	benchmarks/tsan/run.sh benchmarks/races
	benchmarks/tsan/expected.sh benchmarks/neighbours/expected.tsv

# gorace: the Go programs under Go's race detector, RUNS times each, against their annotations and against verify. Others by PROGRAMS, as in
# make gorace RUNS=1000 PROGRAMS=benchmarks/golang/rare
gorace: deps
	$(GO) run ./benchmarks/gorace -runs $(or $(RUNS),100) $(GORACE) $(or $(PROGRAMS),benchmarks/golang)

# boogie-check: what "whoop emit --to boogie" writes, read by the Debian package boogie.
boogie-check: build
	benchmarks/boogie/run.sh bin/whoop out/boogie

# cvc5-check: Z3's answers in the proofs of the drivers, held against the Debian package cvc5; with SMT=DIRECTORY, those of
# the .smt2 files there.
cvc5-check: build
	benchmarks/smt/run.sh $(if $(SMT),--scripts $(SMT),bin/whoop out/smt)

clean:
	rm -rf bin out
