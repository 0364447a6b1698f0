"""Statements of fact in what a person typed: how things are, when something happened, which number or name something has.

Nobody has to mark such a sentence as important, and nobody says it twice (F-D6).
"""

import re

from pumice.commit import cards, constraints, words
from pumice.commit.sentences import split

_LONGEST = 300
"""Characters above which a sentence is a paste."""
_MOST, _MOST_CHARS = 20, 6000
"""Statements or characters above which a message is a document, to be read back as one and not to be learnt by heart."""
_LOGGED = re.compile(r"\d\d:\d\d:\d\d")
"""A time to the second: a line of a log."""
_HAN = re.compile(r"[㐀-鿿]")


def _any(listed: str) -> str:
    return "(?:" + "|".join(listed.split()) + ")"


_STATE = _any(
    r"signed delivered shipped dispatched sent received arrived returned refunded reimbursed paid charged billed "
    r"invoiced cancell?ed booked reserved ordered bought purchased confirmed approved rejected declined denied expired "
    r"renewed closed reopened blocked suspended lost stolen damaged broken missing installed deployed released "
    r"published merged migrated upgraded downgraded removed deleted dropped restored restarted resolved fixed finished "
    r"completed done sold moved replaced scheduled postponed registered verified unpaid overdue"
)
_WHO = r"(?:i|we|they|he|she|it|you|someone|(?:the|my|our|his|her|their|your)(?:\s+[\w#/-]+){1,2})"
_BE = r"(?:is|are|was|were|am|been|being|has|have|had|got|get|gets|['’](?:s|re|ve|m|d))"
_HAPPENED = re.compile(
    rf"{_BE}(?:n['’]t|\s+not|\s+never)?\s+(?:(?:already|just|now|since|also|all|never|been|yet|still|partly|fully)\s+){{0,3}}{_STATE}\b"
    rf"|^(?:already|just|not\s+yet|never)\s+(?:been\s+)?{_STATE}\b|\b{_WHO}\s+(?:(?:already|just|never|also)\s+)?{_STATE}\b",
    re.I,
)
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_MONTH = r"(?:january|february|march|april|may|june|july|august|september|october|november|december)\s+\d"
_FIGURE = re.compile(
    rf"\d|\b(?:yesterday|today|tomorrow|tonight|{_WEEKDAY}|{_MONTH}|(?:last|next|this)\s+(?:week|month|year|night)"
    r"|(?:one|two|three|four|five|six|seven|eight|nine|ten|a|several)\s+(?:hours?|days?|weeks?|months?|years?)\s+(?:ago|before|left|old))\b",
    re.I,
)
_TELLS = re.compile(
    r"^(?:(?:and|but|also|so|well|ok|okay|yes|no|note|fyi|btw|by\s+the\s+way)\b[,:]?\s+)*\S+(?:\s+\S+){0,6}?(?:\s+|(?=['’]))"
    r"(?:is|are|was|were|am|has|have|had|['’](?:s|re|ve|m)|costs?|runs?|uses?|lives?|expires?|ends?|starts?|began|took|takes|came|comes"
    r"|went|got|said|says|told|called|owns?|owes?|weighs?|measures?|contains?|holds?|happened|works?|leaves?|left)\b",
    re.I,
)
_ASKS = re.compile(
    r"^(?:(?:and|but|also|so|then|now|ok|okay|yes|no|well|first|next|just)\b[,:]?\s+)*"
    r"(?:please|pls|can|could|would|will|let|let['’]?s|make|ensure|check|look|see|find|use|run|add|fix|write|read|show|tell|give|create|change"
    r"|update|remove|delete|move|rename|test|try|go|keep|put|set|open|close|send|call|ask|explain|verify|confirm|implement|build|do|don['’]?t"
    r"|how|what|which|who|where|when|why|is|are|was|were|does|did|should|if|once|unless)\b",
    re.I,
)
"""A request, a question or a condition: what it names is part of the goal or of a rule, or is not the case yet."""
_STATE_ZH = (
    r"(?:签收|发货|发出|收到|收货|付款|付清|支付|退款|退货|取消|到货|到账|送达|下单|预订|订购|买|确认|批准|同意|拒绝|过期|到期|续费|开通|注销"
    r"|关闭|损坏|坏|丢失|丢|安装|部署|上线|发布|合并|迁移|升级|回滚|删除|恢复|完成|做完|解决|修好|处理|换|寄|还|报销|逾期|登记|联系)"
)
_HAPPENED_ZH = re.compile(
    rf"(?:已经?|早就|早已|刚刚?|没有?|尚未|未|还没有?|被)[^，。；！？]{{0,6}}?{_STATE_ZH}|{_STATE_ZH}[^，。；！？]{{0,4}}?(?:了|过|完毕)"
)
_FIGURE_ZH = re.compile(
    r"\d|[一二两三四五六七八九十百千万半几]+(?:天|日|号|周|个?月|年|点|小时|分钟|元|块|件|单|次|个|台|人|岁)"
    r"|昨天|今天|明天|前天|后天|上周|下周|本周|上个?月|下个?月|去年|今年|明年|星期|周[一二三四五六日末]"
)
_TELLS_ZH = re.compile(r"是|为|有|在|了|叫|住|共|到|花|付|订|[：:=]|截止|之?前$|左右|预算|编号|单号|电话|地址|金额")
_ASKS_ZH = re.compile(
    r"^(?:那|那么|然后|现在|接着|先|再|好|好的|嗯)?[，,]?(?:请|帮|麻烦|给我|把|将|让|去|试|看看?|查|如果|若|要是|一旦|当|只有|能否|能不能|可否|怎么|为什么)"
    r"|[吗呢么]$"
)


def find(text: str) -> dict[str, str]:
    """Statements of a message, word for word and in order, each with what gives it a name, if anything does (`order id: 4711`).

    Never from injected tags, quotes, fences or terminal lines, and none from a message that is a document.
    """
    if len(text) > _MOST_CHARS:
        return {}
    named = {card.text: card.name.lower() for card in cards.find(text) if not _LOGGED.search(card.text)}
    spans = (words.own(text[span.start : span.end]) for span in words.typed_spans(text))
    sentences = [sentence.text for own in spans for sentence in split(own)]
    found = {sentence: named.get(sentence, "") for sentence in sentences if sentence in named or is_fact(sentence)}
    return found if len(found) <= _MOST else {}


def is_fact(sentence: str) -> bool:
    """Whether one sentence says how something is, before it asks something perhaps; requests, conditions and rules do not."""
    if len(sentence) > _LONGEST or _LOGGED.search(sentence) or constraints.is_rule(sentence):
        return False
    if sentence.rstrip("\"')”").endswith(("?", "？")):
        said, comma, _ = sentence.replace("，", ",").partition(",")
        return bool(comma) and is_fact(said)
    if _HAN.search(sentence):
        tells = _HAPPENED_ZH.search(sentence) or (_FIGURE_ZH.search(sentence) and _TELLS_ZH.search(sentence))
        return bool(tells) and not _ASKS_ZH.search(sentence.rstrip("。！.! "))
    tells = _HAPPENED.search(sentence) or (_FIGURE.search(sentence) and _TELLS.search(sentence))
    return bool(tells) and not _ASKS.search(sentence)
