# Everything runs in .venv, which the stamp below rebuilds when the lock changes.
# uv is used when it is installed, else venv and pip.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready-$(shell cksum requirements-dev.txt pyproject.toml | cksum | cut -d' ' -f1)
UV := $(shell command -v uv 2>/dev/null)
DEMO := fixtures/demo/voucher.jsonl

.PHONY: help demo demo-svg pi pi-gallery pi-goldens test lint format bench bench-scrub lock clean

help:
	@echo "make demo        build the environment, render a shipped recording"
	@echo "make test        build the environment, run every test (with pi, tmux and Chromium where they are)"
	@echo "make lint        ruff, mypy and the import contracts"
	@echo "make format      let ruff format and fix"
	@echo "make bench       measure speed and memory on generated transcripts"
	@echo "make bench-scrub what the scrubber finds, finds wrongly, and how fast it is"
	@echo "make demo-svg    draw the picture of the README again"
	@echo "make pi-gallery  our sessions in both versions of the real pi, as a page to look at"
	@echo "make pi-goldens  write the terminal texts that the tests compare with again"
	@echo "make lock        pin the development environment again"
	@echo "make clean       remove the environment and everything generated"

$(STAMP): requirements-dev.txt pyproject.toml
ifdef UV
	$(UV) venv --quiet --allow-existing --python "$(PYTHON)" $(VENV)
	$(UV) pip install --quiet --python $(BIN)/python --require-hashes -r requirements-dev.txt
	$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e .
else
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
endif
	@rm -f $(VENV)/.ready-*
	@touch $@

demo: $(STAMP)
	@$(BIN)/cursor-replay render $(DEMO) --no-pager

demo-svg: $(STAMP)
	$(BIN)/python docs/make_demo_svg.py $(DEMO) docs/demo.svg

# The real pi that sessions are tested with; without a network the tests skip, unless CI=true.
pi: $(STAMP)
	@$(BIN)/python tests/pi/install.py

pi-gallery: pi
	$(BIN)/python tests/pi/gallery.py build/pi-gallery

pi-goldens: pi
	$(BIN)/python tests/pi/gallery.py --goldens

test: $(STAMP) pi
	$(BIN)/python -m pytest -n auto --cov --cov-report=term-missing:skip-covered

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

format: $(STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(STAMP)
	$(BIN)/python bench/run.py
	$(BIN)/python bench/sessions.py

bench-scrub: $(STAMP)
	$(BIN)/python bench/scrub.py

# One lock for every platform and Python from 3.11 on, made by uv in a place of its own.
lock:
	$(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip install --quiet --disable-pip-version-check uv
	build/lock/bin/uv pip compile --quiet --no-config --upgrade --universal --python-version 3.11 \
		--group dev --generate-hashes --no-header --no-annotate \
		-o requirements-dev.txt pyproject.toml

clean:
	rm -rf $(VENV) build dist .bench .mypy_cache .ruff_cache .pytest_cache .hypothesis \
		.import_linter_cache .coverage htmlcov tests/pi/node_modules
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
