"""Which shell commands are known as changes that must not be repeated."""

import pytest

from pumice.commit import commands, done, effects
from pumice.domain.block import Block, Kind, Origin, Role
from pumice.domain.effect import Effect, ToolUse

READS_WHATEVER_ITS_NAME = [
    "crontab -u bob -l",
    "tar tf a.tar",
    "tar tzvf a.tgz",
    "kubectl -n shop rollout status deploy/web",
    "kubectl rollout -n shop status deploy/web",
    "gunzip -c a.gz",
    "docker compose -f prod.yml logs",
    "curl -G -X GET -d q=1 https://a.example",
    "gh api -X GET repos/x -f state=open",
]
NOT_JUDGED = [
    "curl -G https://a.example -o /etc/x",
    "curl -sGo f https://a.example",
    "curl -G -X $METHOD https://a.example",
    "ssh web1 'ls /srv'",
    "docker exec c cat /x",
    "kubectl exec -it p -- sh -c 'cat x'",
    "redis-cli get set",
    "helm upgrade web ./chart --dry-run",
    "psql -c 'select update from t -- ; delete from t'",
    "bash <<'EOF'\nls\nEOF",
]
WRITES_BEHIND_OPTIONS = [
    "curl -G -X DELETE https://a.example/9",
    "curl --get -sXPOST https://a.example/9",
    "curl -X post https://a.example",
    "psql --command='DROP TABLE t'",
    'psql -c"UPDATE t SET a=1"',
    "psql -c '/* why */ -- x\nDELETE FROM t'",
    "psql -c 'WITH gone AS (DELETE FROM t RETURNING *) SELECT * FROM gone'",
    "psql prod <<'EOF'\n\\set ON_ERROR_STOP on\nDELETE FROM carts;\nEOF",
    "psql <<< 'DELETE FROM t'",
    "echo 'DELETE FROM t' | psql prod",
    "mariadb -e 'replace into t values (1)'",
    "docker compose -f p.yml --profile all up -d",
    "docker --context c stop x",
    "podman rm x",
    "kubectl set image deploy/shop shop=1.2",
    "kubectl --context c -n n delete pod x",
    "helm --kube-context x rollback shop 3",
    "gcloud --project p run deploy shop",
    "aws s3api delete-object --bucket b --key k",
    "service nginx restart",
    "tar -Itest -xf a.tar",
]
WRITES_BEHIND_A_COMMAND = [
    "sudo -u postgres psql -c 'DELETE FROM carts'",
    "doas -u bob git push",
    "timeout -s KILL 10 git push",
    "env -u A B=1 git push",
    "npx -y wrangler@3 deploy",
    "pnpm dlx wrangler deploy",
    "bunx wrangler deploy",
    "uvx twine upload dist/*",
    "python3 -u -m twine upload dist/*",
    "ssh -p 22 web1 'sudo systemctl restart x'",
    "ssh web1 <<'EOF'\nsystemctl restart x\nEOF",
    "docker exec -it -u root c sh -c 'rm -rf /x'",
    "docker exec -i c psql -U u <<'EOF'\nDELETE FROM t;\nEOF",
    "kubectl -n n exec p -c app -- rm /x",
    "bash -euo pipefail -c 'git push'",
]
TASKS = [
    "make deploy",
    "make -j 4 build deploy",
    "npm run deploy:prod",
    "yarn deploy",
    "python manage.py migrate",
    "./deploy.sh prod",
    "bash scripts/deploy.sh",
    "bash -x run.sh deploy",
    "bundle exec rails db:migrate",
    "heroku releases:rollback v12",
    "docker compose exec web python manage.py migrate",
]
NO_TASKS = [
    "make test",
    "make -n deploy",
    "npm run build",
    "npm run test:deploy",
    "npm run patch",
    "npm run deploy -- --dry-run",
    "grep -r deploy",
    "cat deploy.sh",
    "git log --grep=release",
    "git branch release",
    "pytest tests/test_deploy.py",
    "python -m pytest deploy",
    "bash tests/test_migrate.sh",
    "bash deploy.sh --help",
    "rsync -an a b",
    "ansible-playbook site.yml --check",
    "ruff check deploy",
    "npx prisma migrate status",
    "python manage.py migrate --plan",
    "gh release download v1",
    "gcloud deploy releases list",
    "ssh deploy@web1 uptime",
    "psql release -c 'select 1'",
    "lsb_release -a",
    "cargo build --release",
]


REFUSED = [
    '{"status": "declined", "error": "card expired"}',
    '{"success": false}',
    '{\n  "ok": false,\n  "id": 7\n}',
    '{"error": {"code": "card_expired"}}',
    '{"status": 422, "title": "Unprocessable"}',
    '{"isError": true}',
]
CARRIED_OUT = [
    '{"status": "refunded", "error": null}',
    '{"success": true, "errors": []}',
    '{"passed": 9, "errors": 3}',
    '{"id": 7, "note": "status: declined"}',
    '{"order": {"success": false}}',
    '{"status": "cancelled"}',
    '{"status": "decl',
    '["error"]',
]


def judged(line: str) -> Effect:
    return commands.effect(line, effects.table().commands)


@pytest.mark.parametrize(
    ("line", "effect"),
    [(line, Effect.READ) for line in READS_WHATEVER_ITS_NAME] + [(line, Effect.UNKNOWN) for line in NOT_JUDGED],
)
def test_what_only_shows_something_is_no_finished_work(line: str, effect: Effect) -> None:
    """A reading form of a writing command reads; what may write a file or runs elsewhere stays unknown."""
    assert judged(line) is effect


@pytest.mark.parametrize("line", WRITES_BEHIND_OPTIONS + WRITES_BEHIND_A_COMMAND)
def test_change_is_known_behind_options_and_other_commands(line: str) -> None:
    """Options with values, attached values, here-documents, pipes, and commands that run another hide no change."""
    assert judged(line) is Effect.WRITE


@pytest.mark.parametrize("line", TASKS)
def test_task_named_by_a_changing_verb_is_a_change(line: str) -> None:
    """A deployment is not repeated, whatever runs it."""
    assert judged(line) is Effect.WRITE


@pytest.mark.parametrize("line", NO_TASKS)
def test_verb_in_a_name_or_a_trial_is_no_change(line: str) -> None:
    """Files, tests, trials and questions that speak of a deployment do not deploy."""
    assert judged(line) is not Effect.WRITE


def undone(answer: str, tool: str = "refund_order", effect: Effect = Effect.UNKNOWN) -> bool:
    result = Block("b2", Kind.RESULT, Role.TOOL, Origin.TOOL, answer, b"{}", "h", call_id="c1")
    return done.undone(result, ToolUse(tool, "7", effect))


@pytest.mark.parametrize("answer", REFUSED)
def test_change_that_was_refused_in_a_field_is_not_done(answer: str) -> None:
    """A refund that was declined may be tried again; the same words in what was only read are data."""
    assert undone(answer)
    assert not undone(answer, effect=Effect.READ)


@pytest.mark.parametrize("answer", CARRIED_OUT)
def test_change_with_any_other_answer_is_done(answer: str) -> None:
    """Empty errors, counts, inner objects and broken JSON refuse nothing."""
    assert not undone(answer)


def test_refusal_that_was_asked_for_is_done() -> None:
    """To reject something is itself a change."""
    answer = '{"status": "rejected"}'
    assert undone(answer, "add_claim")
    assert not undone(answer, "reject_claim")
    assert not undone(answer, "mcp__shop__rejectClaim")


@pytest.mark.parametrize("line", ["sudo " * 5000 + "ls", "docker exec c " * 2000 + "ls", "psql -c '" + "/*" * 40000 + "'"])
def test_endless_line_is_judged_at_once(line: str) -> None:
    """Commands behind commands without end, or comments that never close, are unknown, not a fault or a wait."""
    assert judged(line) is Effect.UNKNOWN
