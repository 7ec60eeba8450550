"""The protocols that need no debate: two answers, and a rule to choose between them."""

from inspect_debate.debate.engine import Debate, protocol
from inspect_debate.debate.outcome import decides
from inspect_debate.debate.question import PassageQuestion
from inspect_debate.solvers.knowledge_conflict import (
    ANSWER,
    RECALL,
    SAMPLE,
    STUDY,
    Answered,
    answer_rules,
    defender_and_critic,
    in_place_of_tokens,
    two_answers,
)

RULES = (
    *("few_shot", "golden", "token_prob", "calibrated_token_prob"),
    "confidence_only",
)
"""The rules, which the protocol below explains."""


@protocol(
    STUDY,
    Answered,
    *RULES,
    turns=(ANSWER, SAMPLE, RECALL),
    shares={"answers": "two_answers"},
)
async def passage_or_memory(debate: Debate[Answered, PassageQuestion]) -> None:
    """Two answers to a question, from memory and from the passage; a rule takes one.

    All rules ask the same, and one run holds the results of all of them. `protocol` is
    the rule: `few_shot`, the answer from the passage; `golden`, that from the passage
    where it is right, else that from memory; `token_prob`, the more probable one;
    `calibrated_token_prob`, that of higher rank in probability among its kind;
    `confidence_only`, that from memory where the model is confident of it, else that
    from the passage.

    Returns:
        A solver for samples with a `passage` in their metadata; roles `debater_a`
        (from the passage) and `debater_b` (from memory; else the same model).
    """
    participants = defender_and_critic()
    await two_answers(debate, participants)
    await debate.together(*in_place_of_tokens(debate, participants))


decides("srdcr", *RULES)(answer_rules)
