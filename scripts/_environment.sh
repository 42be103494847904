# Create .venv at the top of the repository and install amrx into it, once. Other scripts source this file:
#
#     source "$(dirname "${BASH_SOURCE[0]}")/_environment.sh"
#     make_environment muse,e5     # the extras of pyproject.toml, separated by commas
#     "$AMRX_PYTHON" -m amrx ...
#
# It sets AMRX_ROOT (the repository), AMRX_PYTHON (.venv's interpreter) and HF_HUB_OFFLINE=1 (no downloads are
# needed after the installation). PYTHON=... chooses the interpreter that creates .venv.
# A second call with the same pyproject.toml, constraints.txt and extras does nothing.

AMRX_ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
AMRX_PYTHON="$AMRX_ROOT/.venv/bin/python"
export HF_HUB_OFFLINE=1

_find_python() {
    local candidate
    for candidate in ${PYTHON:-python3.11 python3.12 python3.13 python3}; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    echo "error: Python 3.11 or newer is needed; install it, or name it: PYTHON=/path/to/python $0" >&2
    return 1
}

make_environment() {
    local extras="$1" stamp sum python
    stamp="$AMRX_ROOT/.venv/amrx-installed-${extras//,/-}"
    sum="$(cat "$AMRX_ROOT/pyproject.toml" "$AMRX_ROOT/constraints.txt" | cksum)"
    if [ -x "$AMRX_PYTHON" ] && [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$sum" ]; then
        return
    fi
    echo "making .venv and installing amrx[$extras], about a minute ..." >&2
    if ! "$AMRX_PYTHON" -m pip --version >/dev/null 2>&1; then
        python="$(_find_python)" || return 1
        if ! "$python" -m venv --clear "$AMRX_ROOT/.venv"; then
            echo "error: $python cannot make virtual environments; on Debian: apt install python3-venv" >&2
            return 1
        fi
    fi
    (cd "$AMRX_ROOT" && "$AMRX_PYTHON" -m pip install -qq --disable-pip-version-check \
        -c constraints.txt -e ".[$extras]") || return 1
    echo "$sum" >"$stamp"
}
