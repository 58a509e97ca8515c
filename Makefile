# make demo: play the first experiment and make its report.  make test: run every test.  Both make .venv on the first call.
PYTHON ?= python3
BIN := .venv/bin
WORKERS ?= 2

.PHONY: demo test lint bench answers soak clean

demo: .venv/ready
	$(BIN)/lagranja run baseline --out runs/demo --force
	@echo
	@echo "The tables are in runs/demo, one folder each. Look at a game with:  $(BIN)/lagranja replay runs/demo 1234"
	@echo
	@echo "The report, to be opened in a browser:"
	$(BIN)/lagranja report runs/demo --out runs/demo-report --force

test: .venv/ready-dev
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup

lint: .venv/ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/ready
	$(BIN)/lagranja bench

answers: .venv/ready
	$(BIN)/python docs/make_answers.py

soak: .venv/ready-dev
	LAGRANJA_AGREEMENT_GAMES=1668 LAGRANJA_INVARIANT_GAMES=1000000 $(BIN)/python -m pytest -n $(WORKERS) tests/games/lagranja/test_agreement.py tests/games/lagranja/test_invariants.py

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/ready: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet -e .
	@touch $@

.venv/ready-dev: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet -e ".[dev]"
	@touch $@ .venv/ready

clean:
	rm -rf .venv dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
