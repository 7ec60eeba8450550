"""What simulated models say of a motion: speeches with bets, and jurors' verdicts."""

import re

from inspect_debate.debate.seeds import seeded
from inspect_debate.debate.text import unescape
from inspect_debate.simulator.scene import Scene, texts

SIDES = ("proposition", "opposition")
_CLAIM = re.compile(r"^Core Claim: (.+)$", re.M)


def speech_on_motion(scene: Scene) -> str:
    """A speech for one's side, which answers the other side's last one, and a bet."""
    side, round = scene.asked.name.lower(), scene.asked.round
    claim = _claims(scene, _other(side))[-1]
    answer = _pick(scene, f"{side}_answers", round)
    clash = f"CLASH POINT\nOriginal Claim: “{claim}”\nChallenge: {answer}"
    stages = re.findall(r"\b(?:rebuttal|closing)\b", scene.prompt)
    if round == 1:
        first, second = (_pick(scene, side, k) for k in (0, 1))
        end = _pick(scene, "motion_synthesis")
        speech = f"ARGUMENT 1\n{first}\n\nARGUMENT 2\n{second}\n\nSYNTHESIS\n{end}"
    elif stages[-1] == "closing":  # the end of the prompt says which speech it is
        framing, ending = (_pick(scene, "motion_closing", k) for k in (0, 1))
        issues = f"{_pick(scene, 'motion_weighing')} {ending}"
        speech = f"FRAMING\n{framing}\n\n{clash}\n\nVOTING ISSUES\n{issues}"
    else:
        defence = f"DEFENSIVE ANALYSIS\n{_pick(scene, side, round)}"
        weighing = _pick(scene, "motion_impact", round)
        speech = f"{clash}\n\n{defence}\n\nWEIGHING\n{weighing}"
    amount, key = bet(scene), "motion_first_bet" if round == 1 else "motion_bet"
    why = scene.draw("reasoning", round).choice(texts()[key]).format(amount=amount)
    return (
        f"{speech}\n\n<bet_logic_private>{why}</bet_logic_private>\n"
        f"<bet_amount>{amount}</bet_amount>"
    )


def bet(scene: Scene) -> int:
    """The bet of a round, mostly a multiple of five; rounding changes no mean."""
    profile, round = scene.profile, scene.asked.round
    own, now = scene.draw("bet"), scene.draw("bet", round)
    percent = 100 * (profile.bet + profile.escalates * (round - 1))
    percent += own.uniform(-10, 10) + now.uniform(-6, 6)
    grid = 5 if now.random() < 0.95 else 1
    return min(max(int(percent / grid + now.random()) * grid, 0), 100)


def verdict_on_motion(scene: Scene) -> tuple[str, str, str, dict[str, float]]:
    """A juror's reasons, its closing lines, the winner, and each side's probability.

    How the debate went is the same for all jurors, whatever their model.
    """
    went = seeded(0, str(scene.sample.id), scene.epoch, "winner").choice(SIDES)
    p, rng = scene.profile.jury_agrees, scene.draw("vote", scene.asked.order)
    winner = went if rng.random() < p else _other(went)
    if rng.random() < scene.profile.first_listed:
        winner = SIDES[scene.asked.order == "ba"]
    sure = round(100 * scene.profile.confidence + rng.uniform(-15, 15))
    own, theirs = _claims(scene, winner)[0], _claims(scene, _other(winner))[0]
    known = {"own": own, "theirs": theirs, "winner": winner, "loser": _other(winner)}
    text = rng.choice(texts()["motion_judged"]).format_map(known)
    closing = f"<winnerName>{winner}</winnerName>\n<confidence>{sure}</confidence>"
    return text, closing, winner, {went: p, _other(went): 1 - p}


def _other(side: str) -> str:
    return SIDES[side == SIDES[0]]


def _claims(scene: Scene, side: str) -> list[str]:
    """What a side has claimed so far; words of the motion if that was nothing."""
    said = [unescape(text) for who, text in scene.turns if who.lower() == side]
    found = [one.rstrip(".") for text in said for one in _CLAIM.findall(text)]
    return found or _clauses(scene)


def _clauses(scene: Scene) -> list[str]:
    """What the motion demands, clause by clause."""
    parts = re.split(r"[,;:.](?:\s+|$)", str(scene.sample.input))
    parts = [re.sub(r"^(?:and|or|but|so|if) ", "", one) for one in parts if one]
    demands = [one for one in parts if re.search(r"\b(?:should|must|will|is)\b", one)]
    return demands or parts


def _pick(scene: Scene, key: str, place: int = 0) -> str:
    """A text for a purpose; a debater uses each in its own order before it repeats."""
    many, side, clauses = [*texts()[key]], scene.asked.name.lower(), _clauses(scene)
    scene.draw(key).shuffle(many)
    burden = f"that the motion is {'right' if side == SIDES[0] else 'wrong'}"
    burden = str(scene.metadata.get(side) or burden).partition(", ")[0]
    text = many[place % len(many)].strip()
    return text.format(said=clauses[place % len(clauses)], own_text=burden)
