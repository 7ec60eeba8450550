"""What simulated models believe, and how sure they are of it.

How sure a model is differs between items. Of answers that it holds with a probability
of 0.8, 0.8 are right; on average it is right as often as its profile says.
"""

import re
from random import Random

from inspect_debate.datasets.matching import right_answer, same_answer
from inspect_debate.debate.seeds import seeded
from inspect_debate.simulator.scene import Scene

Belief = tuple[str, dict[str, float]]
"""An answer, and the probability of each possible answer that has one."""


def around(p: float, rng: Random) -> float:
    """The probability for one item, with the mean p."""
    return p if p in (0, 1) else rng.betavariate(2 * p, 2 * (1 - p))


def decided(scene: Scene, p: float, rng: Random) -> Belief:
    """One of the possible answers; the right one with probability p."""
    names, right = [*scene.options], scene.right
    if right is None:
        return rng.choice(names), dict.fromkeys(names, 1 / len(names))
    sure = around(p, rng)
    others = [name for name in names if name != right]
    chosen = right if rng.random() < sure else rng.choice(others)
    return chosen, {right: sure, **dict.fromkeys(others, (1 - sure) / len(others))}


def alone(scene: Scene) -> float:
    """How probably the model is right by itself."""
    profile = scene.profile
    if not scene.labelled:
        return profile.knows
    return profile.finds_error if scene.target == "error" else profile.clears


def believed(scene: Scene) -> Belief:
    """The model's own answer."""
    if scene.options:
        return decided(scene, alone(scene), scene.draw("answer"))
    held, sure = recalled(scene)
    if "<passage>" in scene.prompt:
        rng = seeded(0, scene.model, str(scene.sample.id), scene.epoch, "passage")
        if rng.random() < scene.profile.reads:
            held, sure = scene.passage_answer, around(scene.profile.confidence, rng)
    rng = scene.draw("draw")
    if scene.asked.kind in ("sample", "recall") and rng.random() >= sure:
        others = [scene.target, *wrong_answers(scene)]
        held = rng.choice([one for one in others if not same_answer(one, held)])
    return held, {held: sure}


def recalled(scene: Scene) -> tuple[str, float]:
    """The answer from memory: about a passage always the same, whoever is asked."""
    rng = scene.draw("memory")
    if scene.with_passage:
        question = str(scene.metadata.get("question_id", scene.sample.id))
        rng = seeded(0, scene.model, question, scene.epoch, "memory")
    sure = around(scene.profile.knows, rng)
    right = rng.random() < sure
    return scene.target if right else rng.choice(wrong_answers(scene)), sure


def wrong_answers(scene: Scene) -> list[str]:
    """Plausible answers that are wrong: near numbers, or answers of like questions."""
    target = scene.target
    found = [str(one["answer"]) for one in scene.metadata.get("exemplars", [])]
    if number := re.search(r"\d+(?=\D*\Z)", target):
        before, after = target[: number.start()], target[number.end() :]
        near = (str(int(number[0]) + k).zfill(len(number[0])) for k in (1, 2, 3, 10))
        found = [f"{before}{one}{after}" for one in near]
    found = [one for one in found if not right_answer(one, target)]
    return found or ["Anna Weber", "Port Sullivan"]


def judged(scene: Scene) -> Belief:
    """A judge's decision, which may change until the third round."""
    finals, profile = scene.finals, scene.profile
    if not finals:
        p = alone(scene)
        if "passage" in scene.metadata and "<passage>" not in scene.prompt:
            p = 0.5  # who has not read it can only guess
    elif finals == {""}:
        p = profile.judge_competitive
    elif len(finals) == 1:  # a judge follows debaters who agree in the end
        p = float(finals == {scene.right})
    else:
        p = profile.judge_collaborative
    rng = scene.draw("verdict", min(scene.asked.round, 3))
    name, probabilities = decided(scene, p, rng)
    order = scene.draw("first listed", scene.asked.order)
    if scene.listed and order.random() < profile.first_listed:
        name = scene.listed[0][0]
    return name, probabilities
