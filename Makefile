# mercer: make help lists the targets. Go alone is needed; modules come by
# themselves.
GO ?= go
MERCER = bin/mercer
DEMO = results/nystrom-kpca-rates/smoke

.DEFAULT_GOAL := help
.PHONY: help demo test race lint bench generate figures clean $(MERCER)

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "%-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(MERCER):
	$(GO) build -o $(MERCER) .

demo: $(MERCER) ## the main job: run nystrom-kpca-rates, judge its claims, write its report
	$(MERCER) run nystrom-kpca-rates --profile smoke

test: ## all tests
	$(GO) test ./...

race: ## all tests under the race detector (needs a C compiler)
	$(GO) test -race ./...

lint: ## gofmt, go vet, go.mod tidy, generated files up to date
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$unformatted" ]; then echo "not gofmt'ed:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) mod tidy -diff
	$(GO) run . schema | diff -u experiments/spec.schema.json - || { echo "experiments/spec.schema.json is out of date: make generate"; exit 1; }

bench: ## all benchmarks
	$(GO) test -run '^$$' -bench . ./...

generate: ## regenerate generated files: the JSON Schema of specs
	$(GO) run . schema > experiments/spec.schema.json.new
	mv experiments/spec.schema.json.new experiments/spec.schema.json

figures: $(MERCER) ## run the demo afresh and put its table and figure into the README
	$(MERCER) run nystrom-kpca-rates --profile smoke --fresh
	cp $(DEMO)/report/figures/cor-4.2-iii-all.svg docs/nystrom-kpca-rates.svg
	$(MERCER) check $(DEMO) > $(DEMO)/verdicts.txt
	awk -v table=$(DEMO)/verdicts.txt '/<!-- verdicts -->/ {print; print "```"; while ((getline line < table) > 0) print line; print "```"; skip = 1} /<!-- end verdicts -->/ {skip = 0} !skip' README.md > README.md.new
	mv README.md.new README.md

clean: ## remove the binary and all runs (not the cache of data sets)
	rm -rf bin
	find results -mindepth 1 -maxdepth 1 -type d ! -name reference ! -name testdata -exec rm -rf {} +
