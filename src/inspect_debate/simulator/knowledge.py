"""The replies of simulated models about a question whose passage may be wrong.

A model remembers an answer, and how sure it is of it: of answers that it holds with a
probability of 0.8, 0.8 are right. All its turns follow from that.
"""

import re
from collections.abc import Callable

from inspect_debate.datasets.matching import right_answer, same_answer
from inspect_debate.debate.seeds import seeded
from inspect_debate.debate.text import unescape
from inspect_debate.simulator.replies import Reply, Writer
from inspect_debate.simulator.scene import Scene, nearest, sentences

_TURN = re.compile(r'<turn speaker="([^"]*)"[^>]*>\n(.*?)\n</turn>', re.S)
_SAID = re.compile(r"^(?:Final a|A)nswer: (.+)$", re.M)
_LISTED = re.compile(r"^Answer (\d), argued for by (\w+): <answer>(.*?)</answer>", re.M)
_NUMBER = re.compile(r"\d+(?=\D*\Z)")


def in_conflict(scene: Scene) -> bool:
    """Whether it is about such a question."""
    return "passage" in (scene.sample.metadata or {}) and not scene.sample.choices


# --- What the model knows -------------------------------------------------------------


def recalled(scene: Scene) -> tuple[str, float]:
    """The answer from memory, and its probability; the same in a question's halves."""
    metadata, p = scene.sample.metadata or {}, scene.profile.knows
    question = str(metadata.get("question_id", scene.sample.id))
    rng = seeded(0, scene.model, question, scene.epoch, "memory")
    sure = p if p in (0.0, 1.0) else rng.betavariate(2 * p, 2 * (1 - p))
    right = rng.random() < sure
    return scene.target if right else rng.choice(wrong_answers(scene)), sure


def taken(scene: Scene) -> tuple[str, float]:
    """The answer after reading the passage, and its probability."""
    said, profile = passage_answer(scene), scene.profile
    rng = seeded(0, scene.model, str(scene.sample.id), scene.epoch, "passage")
    if rng.random() >= profile.reads:
        return recalled(scene)
    right = right_answer(said, scene.target)
    mean = profile.confidence if right else profile.confidence_wrong
    return said, rng.betavariate(12 * mean, 12 * (1 - mean) + 1e-9)


def passage_answer(scene: Scene) -> str:
    """What the passage says."""
    return str((scene.sample.metadata or {}).get("passage_answer", scene.target))


def wrong_answers(scene: Scene) -> list[str]:
    """Plausible answers that are wrong: near numbers, or answers of like questions."""
    target, metadata = scene.target, scene.sample.metadata or {}
    found = [str(one["answer"]) for one in metadata.get("exemplars", [])]
    if number := _NUMBER.search(target):
        value, size = int(number[0]), len(number[0])
        step = 10 ** (size - len(number[0].rstrip("0")) if value else 0)
        near = [value + step * k for k in (-2, -1, 1, 2, 3) if value + step * k > 0]
        found = [_NUMBER.sub(f"{n:0{size}d}", target) for n in near]
    found = [one for one in found if not right_answer(one, target)]
    return found or ["Anna Weber", "Port Sullivan"]


# --- Kinds of turns -------------------------------------------------------------------


def answer(scene: Scene) -> Reply:
    """A first answer, or a further draw of it, in the form that is asked for."""
    held, sure = (taken if "<passage>" in scene.prompt else recalled)(scene)
    rng = scene.draw("draw")
    if scene.asked.kind != "answer" and rng.random() >= sure:
        others = [scene.target, *wrong_answers(scene)]
        held = rng.choice([one for one in others if not same_answer(one, held)])
    return _given(scene, held, sure)


def _given(scene: Scene, held: str, sure: float = 1.0) -> Reply:
    write, label = Writer(scene, held), "Answer"
    text = ""
    if "Sub-question:" in scene.prompt:
        label = "Final answer"
        text = f"Sub-question: {write('sub_question')}"
        text += f"\nSub-answer: {_source(scene)}."
    elif "one or two sentences why" in scene.prompt:
        text = write("because", said=_source(scene))
    return Reply(text, f"{label}: {held}", held, {held: sure})


def _source(scene: Scene, part: int = 0) -> str:
    """A sentence of the passage, first the one with its answer."""
    found = sentences(str((scene.sample.metadata or {})["passage"]))
    return f"“{nearest(found, passage_answer(scene))[part % len(found)]}”"


def critique(scene: Scene) -> Reply:
    """What may be wrong with the model's own answer."""
    write = Writer(scene, "")
    said = _source(scene)
    points = (write(key, said=said) for key in ("doubt", "doubt_more"))
    return Reply("\n".join(f"- {point}" for point in points))


def update(scene: Scene) -> Reply:
    """An answer after reading others, or after thinking again."""
    spoken = [m.text for m in scene.messages if m.role == "assistant"]
    own = _said("\n".join(spoken)) or taken(scene)[0]
    prompts = [m.text for m in scene.messages if m.role == "user"]
    last = prompts[-2 if scene.asked.reminder else -1]
    others = [_said(text) for _, text in _TURN.findall(last)]
    other = next((one for one in others if not same_answer(one, own)), own)
    other = other if others else recalled(scene)[0]
    right = right_answer(own, scene.target)
    moves = scene.profile.misled if right else scene.profile.corrected
    moved = scene.draw("update", scene.asked.round).random() < moves
    return _given(scene, other if moved else own)


def _said(text: str) -> str:
    return unescape((_SAID.findall(text) or [""])[-1])


def speech(scene: Scene) -> Reply:
    """A speech for the passage's answer, or for that from memory."""
    found = re.search(r"that you defend: <answer>(.*?)</answer>", scene.prompt)
    own = unescape(found[1]) if found else scene.target
    defends = scene.asked.name in ("Defender", "Alice")
    other = {"Defender": "the Critic", "Critic": "the Defender", "Alice": "Bob"}
    values = {"own_text": own, "opponent": other.get(scene.asked.name, "Alice")}
    write, side = Writer(scene, own), "defender" if defends else "critic"
    turns = _TURN.findall(scene.prompt)
    quotes = [q for _, text in turns for q in re.findall("“.*?”", text)]
    if defends:
        spoken = sum(who == scene.asked.name for who, _ in turns)
        said = _source(scene, spoken)
    else:
        said = quotes[-1] if quotes else ""
    opening = not turns or not said
    key = f"{side}_{'opens' if opening else 'answers'}"
    return Reply(write(key, said=unescape(said), **values))


def verdict(scene: Scene) -> Reply:
    """Whether to rely on the passage, or whose answer is right.

    Right with the planted probability after each round; it may change until round 3.
    """
    rng, round = scene.draw("verdict"), scene.asked.round
    settles, p = rng.randrange(4), scene.profile.judge_competitive
    early, late = (rng.random() < p for _ in range(2))
    well = late if round >= settles else early
    relies = well == right_answer(passage_answer(scene), scene.target)
    listed = _LISTED.findall(scene.prompt)
    if not listed:
        sides = ("the Defender", "the Critic")
        closing = f"Verdict: {'REASONABLE' if relies else 'UNREASONABLE'}"
        return Reply(_reasons(scene, *(sides if relies else sides[::-1])), closing)
    right = [
        number
        for number, _, text in listed
        if right_answer(unescape(text), scene.target)
    ]
    number = right[0] if len(right) == 1 else rng.choice("12")
    if len(right) == 1 and not well:
        number = "2" if number == "1" else "1"
    number = "1" if rng.random() < scene.profile.first_listed else number
    names = [who for _, who, _ in sorted(listed, key=lambda one: one[0] != number)]
    return Reply("", f"Final answer: {number}\n\n{_reasons(scene, *names)}")


def _reasons(scene: Scene, winner: str, loser: str) -> str:
    write, values = Writer(scene, ""), {"winner": winner, "loser": loser}
    spoken = {
        who.removeprefix("the "): text for who, text in _TURN.findall(scene.prompt)
    }
    quotes = re.findall("“.*?”", spoken.get(winner.removeprefix("the "), ""))
    if not quotes:
        return write("judge_unquoted", **values)
    return write("judge_for", theirs=unescape(quotes[-1]), **values)


CONFLICT: dict[str, Callable[[Scene], Reply]] = {
    "answer": answer,
    "sample": answer,
    "recall": answer,
    "critique": critique,
    "update": update,
    "speech": speech,
    "verdict": verdict,
}
"""By the kind of turn that is asked for."""
