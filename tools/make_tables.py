"""Write src/pumice/measure/tables.json: windows, limits and prices of models, dated.

Prices and most windows come from the installed genai-prices package; what it lacks or has wrong comes from OVERRIDES, read
from the vendors' pages (reference provider-contracts §1.4 and §11.2). Run it with a newer genai-prices to renew the table:

    python tools/make_tables.py [YYYY-MM-DD]

The date decides which of several dated prices of a model is written. A model in neither source is left out: no price is
better than a guess.
"""

import datetime
import json
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
from genai_prices import data_snapshot
from genai_prices.types import ClauseEquals, ClauseOr, ModelInfo

from pumice.measure import prices_live
from pumice.measure.naming import parse
from pumice.measure.tables import Row

TABLE_DATE = "2026-11-30"
TARGET = Path(__file__).resolve().parents[1] / "src" / "pumice" / "measure" / "tables.json"
VENDORS = ("anthropic", "openai", "google")
"""Whose windows are known: a row without one is a relic, or no language model."""
PROVIDERS = (*VENDORS, "deepseek", "x-ai", "moonshotai", "minimax", "zai", "mistral")
NOT_TEXT = (
    "embed",
    "tts",
    "audio",
    "image",
    "realtime",
    "live",
    "whisper",
    "transcribe",
    "ocr",
    "voxtral",
    "voice",
    "moderation",
)
CLAUDE_1M = {"window": 1_000_000, "max_output": 128_000}
CLAUDE_200K = {"window": 200_000, "max_output": 64_000}
NO_TIERS: dict[str, Any] = {"tiers": []}
GPT_922K = {"window": 1_050_000, "max_input": 922_000, "max_output": 128_000}
GPT_272K = {"window": 400_000, "max_input": 272_000, "max_output": 128_000}

OVERRIDES: dict[str, dict[str, Any]] = {
    "claude-fable-5-2": {**CLAUDE_1M, "cache_min": 512},
    "claude-mythos-5-2": {**CLAUDE_1M, "cache_min": 512},
    "claude-fable-5-1": {**CLAUDE_1M, "cache_min": 512},
    "claude-mythos-5-1": {
        **CLAUDE_1M,
        "cache_min": 512,
        "price": {"input": 10, "read": 0.25, "write": 12.5, "write_long": 20, "output": 50},
    },
    "claude-fable-5": {**CLAUDE_1M, "cache_min": 512},
    "claude-mythos-5": {
        **CLAUDE_1M,
        "cache_min": 512,
        "price": {"input": 10, "read": 1, "write": 12.5, "write_long": 20, "output": 50},
    },
    "claude-mythos-preview": {"cache_min": 2048},
    "claude-opus-5-5": {**CLAUDE_1M, "cache_min": 512},
    "claude-sonnet-5-5": {**CLAUDE_1M, "cache_min": 512},
    "claude-haiku-5-5": {**CLAUDE_1M, "cache_min": 512},
    "claude-opus-5": {**CLAUDE_1M, "cache_min": 512},
    "claude-sonnet-5": {**CLAUDE_1M, "cache_min": 1024},
    "claude-opus-4-8": {**CLAUDE_1M, "cache_min": 1024},
    "claude-opus-4-7": {**CLAUDE_1M, "cache_min": 2048},
    "claude-opus-4-6": {**CLAUDE_1M, "cache_min": 4096},
    "claude-sonnet-4-6": {**CLAUDE_1M, "cache_min": 1024},
    "claude-opus-4-5": {**CLAUDE_200K, "cache_min": 4096},
    # its tier above 200k belonged to a beta that has ended
    "claude-sonnet-4-5": {**CLAUDE_200K, **NO_TIERS, "cache_min": 1024},
    "claude-haiku-4-5": {**CLAUDE_200K, "cache_min": 4096},
    "gpt-6-astra": GPT_922K,
    "gpt-6.1-sol": GPT_922K,
    "gpt-6-sol": GPT_922K,
    "gpt-6.1-terra": GPT_922K,
    "gpt-6-luna": GPT_922K,
    "gpt-5.6-sol": GPT_922K,
    "gpt-5.6-terra": GPT_922K,
    "gpt-5.6-luna": GPT_922K,
    "gpt-5.5": {"window": 1_000_000, "max_input": 872_000, "max_output": 128_000},
    "gpt-5.4": GPT_922K,
    "gpt-5.4-mini": GPT_272K,
    "gpt-5.4-nano": GPT_272K,
    "gpt-5.3-codex": GPT_272K,
    "gpt-5.2": GPT_272K,
    "gpt-5.1": GPT_272K,
    "gpt-5.1-codex-mini": GPT_272K,
    "gpt-5": GPT_272K,
    "gpt-5-mini": GPT_272K,
    "gpt-5-nano": GPT_272K,
    "gpt-4.1": {"window": 1_047_576, "max_output": 32_768},
    "gpt-4.1-mini": {"window": 1_047_576, "max_output": 32_768},
    "gpt-4.1-nano": {"window": 1_047_576, "max_output": 32_768},
    "gpt-4o": {"window": 128_000, "max_output": 16_384},
    "gpt-4o-mini": {"window": 128_000, "max_output": 16_384},
    "gemini-4-argon": {"window": 1_048_576, "max_output": 64_000},
    "gemini-3.8-flash": {"window": 1_048_576, "max_output": 65_536},
    "gemini-3.7-flash": {"window": 1_048_576, "max_output": 65_536},
    "gemini-3.5-flash": {"window": 1_048_576, "max_output": 65_535},
    "gemini-3.1-pro-preview": {"window": 1_048_576, "max_output": 64_000},
    "gemini-3-pro-preview": {"window": 1_048_576},
    "gemini-2.5-pro": {"window": 1_048_576, "max_output": 65_535},
    "gemini-2.5-flash": {"window": 1_048_576, "max_output": 65_535},
    "gemini-2.5-flash-lite": {"window": 1_048_576, "max_output": 65_535},
}


def aliases_of(model: ModelInfo) -> set[str]:
    """Other exact names of a model, as pumice reads names."""
    clauses = model.match.or_ if isinstance(model.match, ClauseOr) else [model.match]
    names = {parse(clause.equals).base for clause in clauses if isinstance(clause, ClauseEquals)}
    return {name for name in names if name}


def belongs(model: ModelInfo, row: Row, key: str) -> bool:
    """A language model under its vendor's own name, with a window where its vendor states them."""
    resold = key.startswith("claude") and row.provider != "anthropic"
    relic = row.provider in VENDORS and row.window is None and key not in OVERRIDES
    service_level = ":" in model.id
    return not (resold or relic or service_level or any(word in model.id.lower() for word in NOT_TEXT))


def tables(on: datetime.date) -> dict[str, Any]:
    """Rows by model and the aliases that lead to them."""
    models: dict[str, dict[str, Any]] = {}
    aliases: dict[str, str] = {}
    for provider in data_snapshot.get_snapshot().providers:
        if provider.id not in PROVIDERS:
            continue
        for model in provider.models:
            row, key = prices_live.row_of(model, provider.id, on), parse(model.id).dated
            if row is None or not belongs(model, row, key):
                continue
            models[key] = msgspec.to_builtins(row)
            aliases.update(dict.fromkeys(aliases_of(model), key))
    for key, override in OVERRIDES.items():
        models[key] = {"provider": provider_of(key), **models.get(key, {}), **override}
    return {
        "models": {key: models[key] for key in sorted(models)},
        "aliases": {name: key for name, key in sorted(aliases.items()) if name not in models},
    }


def provider_of(key: str) -> str:
    """Whose model an override is."""
    return {"claude": "anthropic", "openai": "openai", "gemini": "google"}[parse(key).family]


def main() -> None:
    """Write the table and say what is in it."""
    date = sys.argv[1] if len(sys.argv) > 1 else TABLE_DATE
    found = tables(datetime.date.fromisoformat(date))
    head = {
        "date": date,
        "sources": [f"genai-prices {version('genai-prices')}", "vendors' pages (OVERRIDES in tools/make_tables.py)"],
    }
    rows = ",\n".join(f"{json.dumps(key)}: {json.dumps(row)}" for key, row in found["models"].items())
    names = json.dumps(found["aliases"], indent=0)
    TARGET.write_text(f'{json.dumps(head)[:-1]}, "models": {{\n{rows}\n}}, "aliases": {names}}}\n', encoding="utf-8")
    print(f"{TARGET.name}: {len(found['models'])} models, {len(found['aliases'])} aliases, {TARGET.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
