# mercer: make help lists the targets. Go alone is needed; modules come by
# themselves.
GO ?= go
MERCER = bin/mercer
DEMO = results/atoms-rates/smoke
REGRESS = results/regress
FIGURES = kjl-fig1 kjl-table2 kjl-fig2 skp-fig2 skp-lifts kkm-fig1 kkm-fig2 comparative rpcholesky-paper

.DEFAULT_GOAL := help
.PHONY: help setup demo missing test system race thorough chaos fuzz lint size bench bench-peers wheel smokes regress reference mutants generate rates figures papers arm64 cross release-check clean $(MERCER)

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "%-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# Runs name the commit that made them, also where $$GOFLAGS has -buildvcs=false.
STAMP = $(if $(shell git rev-parse HEAD 2>/dev/null),-buildvcs=auto)
$(MERCER):
	$(GO) build $(STAMP) -o $(MERCER) .

demo: $(MERCER) ## the main job: run atoms-rates, judge its claims, write its report
	$(MERCER) run atoms-rates --profile smoke

# GOOS=darwin GOARCH=arm64 builds it for another system.
DIST = dist
wheel: ## build dist/mercer-VERSION-py3-none-PLATFORM.whl, the Python package with the program in it
	CGO_ENABLED=0 $(GO) build $(STAMP) -trimpath -ldflags '-s -w' -o bin/wheel/mercer .
	@mkdir -p $(DIST)
	@python3 python/wheel.py bin/wheel/mercer $(DIST)

setup: ## install OpenBLAS by the system's package manager, for speed; not needed
	@if command -v apt-get >/dev/null; then apt-get install --yes --no-install-recommends libopenblas0-pthread; \
	elif command -v dnf >/dev/null; then dnf install --assumeyes openblas-threads; \
	elif command -v pacman >/dev/null; then pacman --sync --noconfirm openblas; \
	elif command -v brew >/dev/null; then brew install openblas; \
	else echo "no package manager that is known here: install OpenBLAS by hand, or go without"; fi

# It ends with what was skipped and why, what failed, and errors.
GOTESTSUM = $(GO) run gotest.tools/gotestsum@v1.13.0 --format-hide-empty-pkg --

# Tests that say what an entry of a registry lacks: a text, a test, a formula for other languages,
# a line in docs. They take a second, and as much as Go takes to compile the packages.
ENTRIES = ^Test(Every(Method|Entry|Formula|Measure|Output|Theorem).*|PlainConformance|FormOf|Sources.*|Outputs.*|Labels|Registry.*|TrivialIsWhole|Catalog|Lists|SpecKeys|Imports|Contributing.*)$$
missing: ## what a new method, kernel, measure, data set or theorem lacks, in seconds
	$(GO) test -vet=off -run '$(ENTRIES)' . ./cmd ./configs ./data/... ./internal/kernel ./internal/metrics ./internal/theory ./methods/...

# FRESH may take data sets out of the environment.
FRESH =
test: missing ## all tests that need Go alone
	$(FRESH) $(GOTESTSUM) -vet=off -timeout 30m ./...
	@echo "Tests with the build tag system are not among these: make system runs them."

# Files with the build tag system hold the tests that take minutes, measure memory, or
# need a browser, a cluster or a network; SYSTEM picks some of them by a pattern. make lint
# vets them.
SYSTEM = .
system: ## the tests behind -tags=system: Slurm, faults and kills, peaks of memory, the browser
	@files=$$(grep -rlE --include='*_test.go' '^//go:build system' .); \
	names=$$(sed -nE 's/^func (Test[A-Za-z0-9]*)\(.*/\1/p' $$files | grep -E '$(SYSTEM)' | paste -sd '|'); \
	$(GOTESTSUM) -vet=off -tags system -parallel 4 -timeout 60m -run "^($$names)$$" $$(dirname $$files | sort -u)

# What starts goroutines of its own. Of cmd, which make thorough adds, what starts few
# programs: they are many times slower. The detector's own memory is too much for
# TestLargeRecords. TestFlippedBits and TestPandasReadsCSV start none. NUMBERS compute for
# long on the goroutines of other tests of runner, and those of report draw what others do;
# make thorough has them.
NUMBERS = |PlotFiles|Determinism|LongNames|SpecialCharacters|EveryValueFromItsDefinition|StreamingChangesNoRecord|KernelMatrixIsKept|CountsByCoordinates|MeasuresTakeHeldOutPoints|BackEndsAgree|StreamsOfARun
RACE = ./runner ./results ./report ./internal/process ./methods/exec
race: ## packages that start goroutines and processes, under the race detector (needs a C compiler)
	@if command -v $$($(GO) env CC) >/dev/null; then \
		CGO_ENABLED=1 $(GOTESTSUM) -race -vet=off -timeout 60m -skip '^Test(Scripts|Sabotage|ExecExample|LargeRecords|FlippedBits|PandasReadsCSV$(NUMBERS))$$' $(RACE); \
	else echo "SKIPPED: no test for races, for the race detector needs a C compiler (Debian: gcc)"; fi

thorough: ## tests that make system has in part: all experiments on each back end, more of them on arm64, 45 searches against brute force, extrapolated answers, races in programs
	$(GO) test ./cmd -tags system -count=1 -timeout 3h -run '^Test(BackEnds|ARM64|AdviseBruteForce)$$' -thorough
	$(GO) test ./runner/adaptive -tags system -count=1 -timeout 2h -run '^Test(BruteForce|Extrapolation)$$' -groups.all
	$(MAKE) race RACE="./internal/claims ./cmd ./runner ./report" NUMBERS=

# Kills and what else happens to a run, at random moments; the seed is printed, and
# CHAOS_SEED repeats it. make system does the same for half a minute.
KILLS = 200
CHAOS_SEED = $(shell date +%s)
chaos: ## kill runs and their workers at random moments, KILLS times (200), and compare what they end with
	$(GO) test ./cmd -tags system -count=1 -v -timeout 6h -run '^TestChaos$$' -chaos.kills=$(KILLS) -chaos.seed=$(CHAOS_SEED)

# One target after another; what fails is kept as a seed in testdata/fuzz of its
# package, where the tests find it.
FUZZTIME = 60s
fuzz: ## fuzz all that reads files, FUZZTIME each (60s), on one processor
	@grep -rn --include='*_test.go' '^func Fuzz' . | sed -E 's|^(.*)/[^/]*_test.go:[0-9]+:func (Fuzz[A-Za-z0-9]*).*|\1 \2|' | sort | while read package target; do \
		echo "$$package $$target"; GOMAXPROCS=1 nice $(GO) test $$package -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 5x -parallel 1 || exit 1; done

# What is there for tests of several packages: packages named so, the reference back end,
# the kinds of claims, and parameters from a text. And what programs of others call (docs/go.md).
FORTESTS = [a-z]test/|methods/kernels/|: Register$$|: UseGonum$$|: ClaimKinds$$|: Params$$

# Words that tests misspell on purpose.
MISSPELT = levle,proces
lint: ## gofmt, go vet, staticcheck, dead code, workflows, spelling, go.mod tidy, generated files up to date; prints the size of the code
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$unformatted" ]; then echo "not gofmt'ed:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet -tags system ./...
	$(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2 -tags system ./...
	@dead=$$($(GO) run golang.org/x/tools/cmd/deadcode@v0.52.0 -tags system -test ./...) || exit 1; \
	dead=$$(echo "$$dead" | grep -v ': Example'); if [ -n "$$dead" ]; then echo "never called:"; echo "$$dead"; exit 1; fi
	@dead=$$($(GO) run golang.org/x/tools/cmd/deadcode@v0.52.0 -tags system ./...) || exit 1; \
	dead=$$(echo "$$dead" | grep -vE '$(FORTESTS)'); if [ -n "$$dead" ]; then echo "called by tests alone:"; echo "$$dead"; exit 1; fi
	$(GO) run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
	$(GO) run github.com/golangci/misspell/cmd/misspell@v0.8.0 -error -i $(MISSPELT) $$(git ls-files | grep -vE '\.(csv|jsonl|svg|s|sum)$$|/testdata/fuzz/')
	$(GO) mod tidy -diff
	@if [ "$$($(GO) env GOARCH)" = amd64 ]; then cd internal/linalg/vector/generate && $(GO) run . && cd ../../../.. && git diff --exit-code -- internal/linalg/vector || { echo "internal/linalg/vector is out of date: make generate"; exit 1; }; fi
	$(GO) run . schema | diff -u experiments/spec.schema.json - || { echo "experiments/spec.schema.json is out of date: make generate"; exit 1; }
	@$(MAKE) --no-print-directory size

size: ## lines of Go of each room, with those of its tests
	@git ls-files '*.go' | xargs wc -l | sed '/ total$$/d; s|internal/|internal.|' | awk '{split($$2, path, "/"); \
	lines[path[1] ($$2 ~ /_test.go$$/ ? " tests" : "")] += $$1} END {for (room in lines) printf "%6d  %s\n", lines[room], room}' | sort -k 2

# Runs of all experiments under the profile smoke, from scratch: old records would
# hide a change that raised no version. What fails shows in what is made of them. AT_ONCE are
# computed beside each other, for each computes on one processor half of its time; two for
# comparisons, which have too few repeats for a test of times, and one for references.
AT_ONCE = 1
smokes: $(MERCER)
	@rm -rf $(REGRESS)
	@ls experiments/*.yaml | xargs -n 1 basename -s .yaml | MERCER_DATA=$${MERCER_DATA:-$$MERCER_TEST_DATA} xargs -P $(AT_ONCE) -I NAME sh -c \
		'said=$$($(MERCER) run NAME --profile smoke --results $(REGRESS) --skip-missing-data --quiet 2>&1 > /dev/null); printf "%s\n" "run NAME" $${said:+"$$said"}'

regress: AT_ONCE = 2
regress: smokes ## the regression watch: run all smoke profiles and compare them with results/reference
	$(MERCER) compare results/reference $(REGRESS)

reference: smokes ## renew results/reference by runs of all smoke profiles
	@for dir in $(REGRESS)/*/smoke; do name=$$(basename $$(dirname $$dir)); \
		$(MERCER) export $$dir --format reference --out results/reference/$$name/smoke || echo "$$name keeps the reference that it has"; done

# 18 minutes on two cores that others use too, 13 of processor time. MUTANT=kjl tries those
# whose names match, and writes nothing.
MUTANT =
mutants: ## make mistakes on purpose, one at a time, and see that tests, verdicts or compare notice: docs/mutants.md
	internal/mutants/run.sh '$(MUTANT)'

bench: ## all benchmarks
	$(GO) test -tags system -run '^$$' -bench . ./...

# On a processor newer than the peers' OpenBLAS this takes its slowest kernels: on one with
# AVX-512 make bench-peers CORETYPE=SkylakeX is fair.
bench-peers: ## against scikit-learn and Faiss: same points, kernel and threads, in turns
	env $(if $(CORETYPE),OPENBLAS_CORETYPE=$(CORETYPE),-u OPENBLAS_CORETYPE) $(GO) run ./internal/bench/peers

generate: ## regenerate generated files, in seconds: assembly, the JSON Schema of specs, lists of methods, measures, theorems, data sets and kernels, keys of a spec, the tutorial
	cd internal/linalg/vector/generate && $(GO) run .
	$(GO) test ./configs -count=1 -run '^TestSpecKeys$$' -update
	$(GO) test ./cmd -count=1 -run '^Test(Lists|Tutorial)$$' -update
	$(GO) run . schema > experiments/spec.schema.json.new
	mv experiments/spec.schema.json.new experiments/spec.schema.json

rates: ## regenerate docs/verdicts.md, how often verdicts are wrong, by simulation, in minutes
	$(GO) test ./internal/claims -count=1 -timeout 60m -run '^TestCharacteristic$$' -update

# Full runs of MNIST, Fashion-MNIST, Avila and banknote, hours on two cores; one that has
# ended is not repeated. make figures PROFILE=ci FIGURES=comparative makes
# that which docs/papers.md has from profile ci, in minutes. A claim that is violated (3) is
# no reason to have no figure.
PROFILE = paper
figures: $(MERCER) ## copy the papers' figures of runs of PROFILE (paper) into results/reference; make the README's again
	@for name in $(FIGURES); do echo "run $$name"; \
		$(MERCER) run $$name --profile $(PROFILE) --results results --quiet > results/$$name.log || [ $$? -eq 3 ] || { cat results/$$name.log; exit 1; }; \
		mkdir -p results/reference/$$name; rm -f results/reference/$$name/plot-* results/reference/$$name/budget-*; rm results/$$name.log; \
		cp results/$$name/$(PROFILE)/report/figures/plot-*.svg results/$$name/$(PROFILE)/report/tables/plot-*.csv results/reference/$$name/; \
		cp results/$$name/$(PROFILE)/report/tables/budget-*.csv results/reference/$$name/ 2>/dev/null || true; \
		find results/reference/$$name -name '*.csv' -size +100k -delete; done
	$(MERCER) run atoms-rates --profile smoke --fresh
	cp $(DEMO)/report/figures/plot-rates.svg docs/atoms-rates.svg
	$(MERCER) check $(DEMO) | awk '/^. Claim / {print border; on = 1} {border = $$0} on && !/^next:/' > $(DEMO)/verdicts.txt
	awk -v table=$(DEMO)/verdicts.txt '/<!-- verdicts -->/ {print; print "```"; while ((getline line < table) > 0) print line; print "```"; skip = 1} /<!-- end verdicts -->/ {skip = 0} !skip' README.md > README.md.new
	mv README.md.new README.md

# One night on two cores. A run that was stopped goes on where it was, and one that has ended
# is only judged again. Experiments whose data or memory are missing keep their verdicts:
# they are listed at the end, and make fails. Left out are searches of least sizes that take
# hours and are no figure of a paper; least-m-leverage claims nothing besides.
PAPERS = $(filter-out least-m least-m-leverage least-m-series,$(basename $(notdir $(wildcard experiments/*.yaml))))
papers: $(MERCER) ## run all experiments in full and renew their verdicts in results/reference
	@missing=; for name in $(PAPERS); do echo "$$(date +%H:%M) run $$name"; \
		$(MERCER) run $$name --results results --quiet > results/$$name.log 2>&1; code=$$?; \
		case $$code in 0|3) ;; 130) exit 130;; *) missing="$$missing $$name"; cat results/$$name.log; continue;; esac; \
		rm results/$$name.log; mkdir -p results/reference/$$name; \
		$(MERCER) check results/$$name/paper --json > results/$$name/verdicts.json || [ $$? -eq 3 ] || exit 1; \
		mv results/$$name/verdicts.json results/reference/$$name/verdicts.json; done; \
	$(GO) test ./cmd -count=1 -run '^TestLists$$' -update || exit 1; \
	for name in $$missing; do echo "NOT RUN: $$name, because of what results/$$name.log says"; done; [ -z "$$missing" ]

# Without the loader of BLAS libraries, which would need an arm64 libc. The emulator is slow:
# make system SYSTEM=ARM64 compares numbers of experiments alone.
EMULATED = internal/kernel internal/linalg internal/metrics methods
arm64: ## all tests of kernels, linear algebra, measures and methods on linux/arm64, under qemu-user (Debian: qemu-user)
	CGO_ENABLED=0 GOOS=linux GOARCH=arm64 $(GO) test -tags noblas -exec qemu-aarch64 -timeout 6h $(addprefix ./,$(EMULATED))

# darwin/amd64 has the files of darwin/arm64 and of linux/amd64; releases have it too.
PLATFORMS = linux/arm64 darwin/arm64 windows/amd64
VETTED = darwin/arm64 windows/amd64
cross: ## build for other systems and processors into bin/cross, and vet the code and the tests of other systems
	@for platform in $(PLATFORMS); do echo "build for $$platform"; \
		CGO_ENABLED=0 GOOS=$${platform%/*} GOARCH=$${platform#*/} $(GO) build -o bin/cross/$$platform/ . || exit 1; done
	@for platform in $(VETTED); do echo "vet for $$platform"; \
		CGO_ENABLED=0 GOOS=$${platform%/*} GOARCH=$${platform#*/} $(GO) vet ./... || exit 1; done

# The first time it compiles goreleaser, for minutes. The check asks for a remote: any will do.
release-check: ## check .goreleaser.yaml by goreleaser
	@dir=$$(mktemp -d); trap 'rm -rf '$$dir EXIT; git clone --quiet . $$dir && cd $$dir && \
	git remote set-url origin https://github.com/mercer/mercer && $(GO) run github.com/goreleaser/goreleaser/v2@v2.15.1 check

clean: ## remove the binary and all runs (not the cache of data sets)
	rm -rf bin dist
	find results -mindepth 1 -maxdepth 1 -type d ! -name reference ! -name testdata -exec rm -rf {} +
