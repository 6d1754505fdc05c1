# Every target installs what it needs and does not find; see scripts/setup.sh.

.PHONY: help serve test explore dist bench setup

help: ## List the targets
	@sed -n 's/^\([a-z]*\):.*## /make \1	/p' Makefile

serve: ## Serve the page at http://127.0.0.1:8080/, rebuilt on every change (PORT=9000, ARGS=--release)
	@scripts/serve.sh $(ARGS)

test: ## Run every check and test
	@scripts/test.sh

explore: ## Try other random worlds than make test does, ten times as many (CASES=20000 SEED=7 ARGS=--test=engine)
	@scripts/explore.sh $(ARGS)

dist: ## Write the release build of the page to dist/, for any static host and any path
	@scripts/setup.sh dist && node scripts/dist.mjs && node scripts/size.mjs

bench: ## Measure the budgets of the engine, natively and in WebAssembly, and those of the page
	@scripts/bench.sh $(ARGS)

setup: ## Only install what the other targets need
	@scripts/setup.sh test && echo "Everything that make serve, test and dist need is installed."
