"""The asked language is told by script and by common words, and nothing is said where neither tells."""

import pytest
from msgspec.structs import replace

from pumice.compact.summary import answer, checks, template, tongue
from pumice.compact.summary.said import Said
from pumice.domain.block import Block, Kind, Origin, Role

SAMPLES = {
    "en": "The billing service is moved to the new interface step by step, as it was asked for in the first message.",
    "de": "Der Abrechnungsdienst wird Schritt für Schritt auf die neue Schnittstelle umgestellt, wie "
    "es in der ersten Nachricht steht, und ist noch nicht fertig.",
    "fr": "Le service de facturation est migré vers la nouvelle interface sans casser les clients "
    "existants, nous sommes à la cinquième étape.",
    "es": "El servicio de facturación se mueve a la nueva interfaz paso a paso, como se pidió en el "
    "primer mensaje, y no está terminado.",
    "pt": "O serviço de faturação é movido para a nova interface passo a passo, como foi pedido na "
    "primeira mensagem, mas não está pronto ainda.",
    "it": "Il servizio di fatturazione viene spostato alla nuova interfaccia, come è stato chiesto "
    "nel primo messaggio, e non è ancora finito.",
    "nl": "De facturatiedienst wordt stap voor stap naar de nieuwe interface overgezet, zoals in het "
    "eerste bericht werd gevraagd, en is nog niet klaar.",
    "pl": "Usługa rozliczeń jest przenoszona na nowy interfejs krok po kroku, jak w pierwszej "
    "wiadomości, i nie jest jeszcze gotowa, ale została już przetestowana.",
    "tr": "Fatura hizmeti adım adım yeni arayüze taşınıyor ve ilk mesajda olduğu gibi bir sonraki "
    "adım için çok az iş var, ama daha bitmiş değil.",
    "ja": "請求サービスを新しいインターフェースに移行しています。最初のメッセージで求められたとおりです。",
    "zh": "计费服务正在按照最初的要求一步一步迁移到新的接口，目前正在处理当前模块。",
    "ko": "청구 서비스를 새로운 인터페이스로 단계별로 이전하고 있으며 아직 완료되지 않았습니다.",
    "ru": "Служба выставления счетов переносится на новый интерфейс шаг за шагом, как было указано в первом сообщении.",
    "ar": "يتم نقل خدمة الفوترة إلى الواجهة الجديدة خطوة بخطوة كما طُلب في الرسالة الأولى.",
}
"""The same said in fourteen languages."""


@pytest.mark.parametrize("asked", SAMPLES)
def test_a_text_in_another_language_is_known_and_one_in_the_asked_is_not_refused(asked: str) -> None:
    """Of fourteen, each against each."""
    assert [code for code in SAMPLES if not tongue.contradicts(SAMPLES[code], asked)] == [asked]


@pytest.mark.parametrize(
    "text",
    [
        "Done.",
        "The parser is fixed.",
        "`pytest -q tests/billing` src/billing/umber_0.py 12 passed",
        "```\n" + SAMPLES["en"] + "\n```",
        "",
    ],
)
def test_nothing_is_said_of_what_is_short_or_only_names(text: str) -> None:
    """Code, paths and a few words are in no language."""
    assert not any(tongue.contradicts(text, asked) for asked in ("en", "de", "fr"))
    assert tongue.of(text) == ""


def test_an_unlisted_language_is_taken_on_trust_but_for_english() -> None:
    """Swedish has no list of words, English in its place is known all the same; of an unknown code nothing is said."""
    swedish = "Tjänsten flyttas steg för steg till det nya gränssnittet och är inte klar, som det stod i första meddelandet."
    assert not tongue.contradicts(swedish, "sv")
    assert tongue.contradicts(SAMPLES["en"], "sv-SE")
    assert not tongue.contradicts(SAMPLES["en"], "tlh")


@pytest.mark.parametrize(
    ("asked", "typed", "wrong"), [("de", "en", "en"), ("auto", "de", "en"), ("auto", "en", "fr"), ("ja", "en", "zh")]
)
def test_a_summary_in_another_language_than_was_asked_for_is_refused(asked: str, typed: str, wrong: str) -> None:
    """By the policy's code, or in the language the person writes in; words of a source count for neither."""
    ours = template.shipped("handoff")
    person = Block("b1", Kind.TEXT, Role.USER, Origin.PERSON, SAMPLES[typed], b"", "b1")
    said = Said({"b1": person}, in_chinese=False, language=asked)

    def told(text: str, said: Said = said) -> list[str]:
        whole = "\n".join(f"## {part.title}\n{f'- {text} (b1)' if part.key == 'goal' else ''}" for part in ours.sections)
        return [*checks.language(checks.Case(whole, answer.parse(whole, ours), ours, said, 0))]

    right = typed if asked == "auto" else asked
    assert told(SAMPLES[right].replace(".", "!")) == []
    assert told(SAMPLES[wrong].replace(".", "!"))
    assert told(SAMPLES[wrong], replace(said, known=SAMPLES[wrong])) == []
