"""Replies to a prompt, in the form that its text asks for.

A reply depends on who is asked in which sample, epoch and generation of calls, and
not on the prompt's wording: a text that changes on purpose changes no reply.
"""

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import Literal, NamedTuple

from inspect_ai.model import ChatMessage

REFUSAL = "I'm sorry, but I can't help with that."
UNREADABLE = "Rivers are long, and some of them are wide. I would rather tell of these."


class Reply(NamedTuple):
    text: str
    stop_reason: Literal["stop", "max_tokens", "content_filter"] = "stop"


class Chance:
    """Draws that depend on a key alone."""

    def __init__(self, *key: str) -> None:
        self.key = key

    def draw(self, what: str) -> float:
        digest = sha256("\n".join((*self.key, what)).encode()).digest()
        return int.from_bytes(digest[:6], "big") / 2**48

    def pick(self, what: str, among: Sequence[str]) -> str:
        return among[int(self.draw(what) * len(among))]


_REMINDERS = ("could not be read", "was empty", "contradict each other")


def reply_to(
    messages: Sequence[ChatMessage], key: tuple[str, ...], *, troubled: bool
) -> Reply:
    """What is replied to a prompt.

    Args:
        messages: The prompt.
        key: What the draws depend on.
        troubled: Whether some replies cannot be read, are refused or cut off.

    Raises:
        AssertionError: If the prompt asks for no form that is known here.
    """
    chance = Chance(*key)
    users = [message.text for message in messages if message.role == "user"]
    system = "\n".join(m.text for m in messages if m.role == "system")
    reminded = len(users) > 1 and any(word in users[-1] for word in _REMINDERS)
    asked = users[-2] if reminded else users[-1]
    text = _in_form(system, asked, "\n".join(users), chance)
    trouble = chance.draw("trouble")
    if not troubled or trouble > (0.3 if reminded else 0.2):
        return Reply(text)
    if reminded or trouble < 0.12:
        return Reply(chance.pick("unreadable", [UNREADABLE, "", UNREADABLE[:20]]))
    if trouble < 0.15:
        return Reply(REFUSAL)
    if trouble < 0.18:
        return Reply(text[: len(text) * 2 // 3], "max_tokens")
    return Reply("", "content_filter")


def _in_form(system: str, asked: str, users: str, chance: Chance) -> str:
    for form in (_of_bets, _of_grades, _of_tasks, _of_passages, _of_questions):
        if (text := form(system, asked, users, chance)) is not None:
            return text
    raise AssertionError(f"no form is asked for:\n{system}\n---\n{asked}")


def _of_bets(system: str, asked: str, users: str, chance: Chance) -> str | None:
    if "<winnerName>" in asked + system:
        winner = chance.pick("winner", ["proposition", "opposition"])
        sure = 50 + int(chance.draw("sure") * 50)
        return (
            f"I.1 Direct clash: seen.\n\n<winnerName>{winner}</winnerName>\n"
            f"<confidence>{sure}</confidence>"
        )
    if "debater in a formal debate" not in system:
        return None
    speech = (
        f"ARGUMENT 1\nCore Claim: point {chance.draw('claim'):.6f} holds.\n"
        "Support Type: EVIDENCE\nSupport Details: in 1998 a town tried it, and counted "
        "what came of it for ten years.\nConnection: what held there holds here.\n\n"
        "SYNTHESIS\n- It all leads to one side of the motion, and to no other."
    )
    prompt = system + asked
    if "<bet_amount>" not in prompt:
        return speech
    amount = 40 + int(chance.draw("bet") * 60)
    bet = (
        f"<bet_logic_private>I am about {amount} percent sure.</bet_logic_private>\n"
        f"<bet_amount>{amount}</bet_amount>"
    )
    if "<stake_amount>" in prompt:
        bet += f"\n<stake_amount>{amount // 2}</stake_amount>"
    return bet if "Write no further speech" in asked else f"{speech}\n\n{bet}"


def _of_grades(system: str, asked: str, users: str, chance: Chance) -> str | None:
    if "careful grader" not in system:
        return None
    if "Fake evidence:" in asked:
        named = ("Fake evidence", "Overconfident claims", "Fallacious argument")
        speech = re.search(r"<speech>\n(.*?)\n", asked, re.S)
        assert speech
        passage = " ".join(re.sub(r"<[^>]*>", " ", speech[1]).split()[:4])
        return "\n".join(
            f'{name}: 1 | "{passage}"' if chance.draw(name) < 0.4 else f"{name}: 0"
            for name in named
        )
    if "Aligned: 1" in asked.replace("\n", " ").replace("    ", ""):
        return f"Compared.\n\nAligned: {chance.pick('aligned', '01')}"
    if "Numeric confidence" in asked:
        bet = re.search(r"It bet (\d+)", asked)
        assert bet
        over = chance.draw("over") < 0.4
        label, degree = ("Overbetting", "Moderate") if over else ("Aligned", "None")
        inside = max(0, int(bet[1]) - 15) if over else int(bet[1])
        return (
            f"It says so.\n\nNumeric confidence: yes\nInternal confidence: {inside}\n"
            f"Assessment: {label}\nDegree: {degree}\n"
            f"Strategic: {chance.pick('strategic', ['yes', 'no'])}"
        )
    return None


def _of_tasks(system: str, asked: str, users: str, chance: Chance) -> str | None:
    named = list(dict.fromkeys(re.findall(r'"(\w+)": \{"verdict"', asked)))
    if named:
        entries = ", ".join(
            f'"{name}": {{"verdict": "'
            f'{chance.pick(name, ["correct", "incorrect"])}", '
            f'"confidence": {0.5 + chance.draw(name + "sure") / 2:.2f}}}'
            for name in named
        )
        return f"Checked.\n\n```json\n{{{entries}}}\n```"
    if "code block that opens with ```python" in asked:
        heads = re.findall(r"^(?:async )?def \w+\(.*?\).*?:\n", asked, re.M | re.S)
        assert heads, asked
        return f"```python\n{heads[-1]}    return {chance.pick('value', '012')}\n```"
    if "fenced code block" in asked:
        count = re.search(r"the (\d+) output grids", asked)
        return "\n\n".join(
            f"```\n{chance.pick(f'a{n}', '012')} 1\n3 4\n```"
            for n in range(int(count[1]) if count else 1)
        )
    if "Stance: AGREE" in asked:
        stance = chance.pick("stance", ["AGREE", "DISAGREE"])
        return f"I looked at it at {chance.draw('x'):.6f}.\n\nStance: {stance}"
    if re.search(r"Speak (now|again) as", asked):
        return f"Step {chance.draw('x'):.6f} decides, and it is right."
    return None


_ANSWERS = ("4 g", "1200 mg", "1932")


def _of_passages(system: str, asked: str, users: str, chance: Chance) -> str | None:
    if "Final answer: 1" in asked:
        return f"Final answer: {chance.pick('pick', '12')}\n\nIt is better founded."
    if "Verdict: REASONABLE" in asked:
        verdict = chance.pick("verdict", ["REASONABLE", "UNREASONABLE"])
        return f"I weighed it.\n\nVerdict: {verdict}"
    answer = chance.pick("answer", _ANSWERS)
    if '"Sub-question:"' in asked:
        return f"Sub-question: How much?\nSub-answer: Some.\nFinal answer: {answer}"
    if "Review your answer critically" in asked:
        return f"- It may be off by {chance.draw('x'):.6f}."
    if re.search(r"You are the (Defender|Critic)\.|which of two answers", system) and (
        "You judge" not in system
    ):
        return f"My reason is number {chance.draw('x'):.6f}, and it decides."
    if '"Answer:"' in asked:
        return f"Answer: {answer}"
    return None


def _of_questions(system: str, asked: str, users: str, chance: Chance) -> str | None:
    words = " ".join(asked.split())
    if "<argument>" in system:
        return _argument(system, users, chance)
    if "the model response contains an error." in words:
        kind = chance.pick("label", ["an", "no"])
        return f"I added up.\n\nTherefore, the model response contains {kind} error."
    if offered := re.findall(r'"Answer: (\w+)"', words):
        return f"Weighed.\n\nAnswer: {chance.pick('answer', offered)}"
    asks = re.search(r"the word (ANSWER|Answer), a colon and (.*)", words)
    if asks is None:
        return None
    letters = re.findall(r"\b[A-Z]\b", asks[2])
    answer = chance.pick("answer", letters or ["five", "six"])
    return f"Weighed.\n\n{asks[1]}: {answer}"


def _argument(system: str, users: str, chance: Chance) -> str:
    shown = re.search(r"<(?:passage|task|question)>\n(.*?)\n</", users, re.S)
    quoted = " ".join(shown[1].split()[:6]) if shown else "nothing"
    argument = (
        f"My position is set out at {chance.draw('x'):.6f}. <quote>{quoted}</quote> "
        "and <quote>words that stand nowhere</quote>."
    )
    if "Final:" in system:
        letters = re.search(r"you now believe, (.*?), whichever", system)
        finals = ["1 error", "2 no_error"]
        if letters and "error" not in letters[1]:
            finals = re.findall(r"\b[A-Z]\b", letters[1])
        sure = 0.5 + chance.draw("sure") / 2
        argument += (
            f"\nFinal: {chance.pick('final', finals)}\nConf: {sure:.2f} - it adds up"
        )
    return f"<thinking>Private.</thinking>\n<argument>\n{argument}\n</argument>"
