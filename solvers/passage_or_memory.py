"""The protocols that need no debate: two answers, and a rule to choose between them."""

from collections.abc import Mapping
from typing import Any, Literal

from inspect_ai.solver import Solver, solver

from inspect_debate.debate.record import DebateRecord
from inspect_debate.debate.recording import Recorder
from inspect_debate.debate.self_confidence import ConfidenceFrom
from inspect_debate.solvers.clash import (
    ClashAsker,
    Gate,
    clash_protocol,
    in_place_of_tokens,
    two_answers,
    two_seats,
)
from inspect_debate.solvers.clash_settings import clash_parameters

Rule = Literal[
    "few_shot", "golden", "token_prob", "calibrated_token_prob", "confidence_only"
]


@solver
def passage_or_memory(
    protocol: Rule = "few_shot",
    tau: float | None = None,
    confidence_from: ConfidenceFrom | None = None,
    consistency_samples: int | None = None,
    recall_samples: int | None = None,
    reuse: str | None = None,
    seed: int = 0,
    prompts: str | None = None,
    config: Mapping[str, Any] | None = None,
) -> Solver:
    """Two answers to a question, from memory and from the passage; a rule takes one.

    All rules ask the same, and one run holds the results of all of them.

    Args:
        protocol: The rule: `few_shot`, the answer from the passage; `golden`, that from
            the passage where it is right, else that from memory; `token_prob`, the more
            probable one; `calibrated_token_prob`, that of higher rank in probability
            among its kind; `confidence_only`, that from memory where the model is
            confident of it, else that from the passage.
        tau: The confidence from which the answer from memory is trusted: 0.9.
        confidence_from: Where the confidence is taken from: `auto`.
        consistency_samples: Further answers for self-consistency: 16.
        recall_samples: Further answers from memory for knowledge recall: 0.
        reuse: A log whose answers are used again.
        seed: Seed of the run.
        prompts: A file laid over the study's prompts.
        config: Values of `ClashConfig`.

    Returns:
        A solver for samples with a `passage` in their metadata; roles `debater_a`
        (from the passage) and `debater_b` (from memory; else the same model).

    Raises:
        InputError: If a parameter is not allowed.
    """
    parameters = clash_parameters(
        protocol,
        {
            "tau": tau,
            "confidence_from": confidence_from,
            "consistency_samples": consistency_samples,
            "recall_samples": recall_samples,
        },
    )
    gate = Gate()

    async def hold(
        asker: ClashAsker, debate: Recorder, earlier: DebateRecord | None
    ) -> None:
        seats = two_seats()
        await two_answers(asker, debate, earlier, seats, gate)
        await debate.together(*in_place_of_tokens(asker, debate, seats))

    return clash_protocol(
        protocol,
        hold,
        parameters=parameters,
        seed=seed,
        prompts=prompts,
        config=config,
        reuse=reuse,
    )
