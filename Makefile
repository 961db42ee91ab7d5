# The course in two commands: `make lab` opens it, `make test` checks it.
# Everything is installed into .venv, once; deleting that folder undoes it all.

PYTHON = python3
LAB_ARGS =
NB =
JOBS = logical
PYTEST_ARGS =

VENV = .venv
BIN = $(VENV)/bin
FIRST = notebooks/00_start_here.ipynb
COURSE = $(VENV)/course-is-installed
TOOLS = $(VENV)/tests-are-installed
PIP = $(BIN)/python -m pip --quiet --disable-pip-version-check

# For arrays and pictures this small, more than one BLAS thread wins nothing, and now and then
# a frame waits for the others: on one thread the slowest frames are far less slow.
export OPENBLAS_NUM_THREADS = 1

.PHONY: help lab test notebooks claims lint format bench clean

help:  ## show this list
	@echo "make lab to open the course, make test to check it. All there is:"
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1 @\2/p' Makefile | \
	    awk -F@ '{ printf "%-18s%s\n", $$1, $$2 }'

lab: $(COURSE)  ## open JupyterLab on the first notebook (LAB_ARGS=--no-browser and the like)
	@echo "Opening JupyterLab on $(FIRST); Ctrl-C here ends it."
	@root=; test "$$(id -u)" -ne 0 || root=--allow-root; \
	exec $(BIN)/python -m jupyterlab --LabApp.default_url=/lab/tree/$(FIRST) $$root $(LAB_ARGS)

test: lint  ## lint, check types, run every test and every notebook (PYTEST_ARGS="-k knn")
	@echo "Running the tests and the notebooks."
	@$(BIN)/python -m pytest -n $(JOBS) --maxprocesses=8 $(PYTEST_ARGS)

notebooks: $(COURSE)  ## run all notebooks afresh and store their outputs (NB=01 for one)
	@echo "Executing the notebooks in place."
	@$(BIN)/python notebooks/execute.py $(NB)

claims: $(COURSE)  ## list which claims are checked in which notebook, and which are still open
	@$(BIN)/python tests/test_claims.py

lint: $(TOOLS)  ## check style (ruff, notebooks too) and types (mypy), changing nothing
	@echo "Checking style with ruff."
	@$(BIN)/python -m ruff check --quiet .
	@$(BIN)/python -m ruff format --check . || \
	    { echo "Some files are not formatted: make format puts that right."; exit 1; }
	@echo "Checking types with mypy."
	@$(BIN)/python -m mypy --no-error-summary

format: $(TOOLS)  ## bring code and notebooks into the common style
	@echo "Formatting with ruff."
	@$(BIN)/python -m ruff check --quiet --fix-only .
	@$(BIN)/python -m ruff format .

bench: $(TOOLS)  ## measure: each script in benchmarks/, one after the other
	@for script in benchmarks/[!_]*.py; do \
	    echo "Running $$script."; $(BIN)/python "$$script" || exit 1; done

clean:  ## remove .venv and the caches
	@echo "Removing .venv and the caches."
	@rm -rf $(VENV) build *.egg-info .pytest_cache .ruff_cache .mypy_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Set-up. A stamp file is older than the list it was made from only if that list has changed.
$(COURSE): requirements.txt pyproject.toml
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || { \
	    command -v $(PYTHON) >/dev/null || { \
	        echo "There is no $(PYTHON) here: install Python 3.10 or newer," \
	             "or name yours as in: make PYTHON=python3.12"; exit 1; }; \
	    $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { \
	        echo "The course needs Python 3.10 or newer, and this is $$($(PYTHON) --version 2>&1):" \
	             "name a newer one as in: make PYTHON=python3.12"; exit 1; }; \
	    $(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
	        echo "$(PYTHON) cannot make virtual environments:" \
	             "install its venv package (Debian, Ubuntu: apt install python3-venv)."; exit 1; }; \
	    echo "Creating $(VENV) with $$($(PYTHON) --version)."; \
	    $(PYTHON) -m venv --clear $(VENV); }
	@echo "Installing the course into $(VENV) (once; a minute or two)."
	@$(PIP) install --requirement requirements.txt
	@$(BIN)/python -c 'import matplotlib.font_manager'  # lists the fonts now, not in a lesson
	@touch $@

$(TOOLS): requirements-test.txt $(COURSE)
	@echo "Installing what the tests need (once)."
	@$(PIP) install --requirement requirements-test.txt
	@touch $@
