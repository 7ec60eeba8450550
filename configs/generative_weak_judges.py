"""Will debate help this judge? Judge, critic and debates on the same answers.

    uv run python configs/generative_weak_judges.py --log-dir logs/weak_judges \\
        --model-role debater_a=M1 --model-role debater_b=M2 --model-role judge=M3 \\
        --model-role grader=M4

The proposer (M1) answers once, the critic (M2) rules alone, reviews and debates, and
the judge (M3) is to be helped. The conditions follow the abstract of "Debate helps weak
judges reward stronger models" (arXiv 2605.27483); no value in it is the paper's. Take
at least 500 tasks: on code -T dataset=bcb_plus -T interpreter=DIR -T eligible=FILE.
"""

from inspect_debate.cli.whole_study import LogOf, Run, Study, run, whole_study

FIRST = "single_no_transcript"
OTHERS = ("critic_alone", "single_consultancy", "single_critique", "single_debate")


def condition(protocol: str, **reused: LogOf) -> Run:
    """A condition, with a grader's label of each verdict: does it verify?"""
    return run(protocol=protocol, verdict_checks=True, **reused)


# The first makes and grades the answers of all.
RECOMMENDED = {
    FIRST: condition(FIRST),
    **{name: condition(name, reuse=LogOf(FIRST)) for name in OTHERS},
}

STUDY = Study("generative", RECOMMENDED)

if __name__ == "__main__":
    whole_study(STUDY)()
