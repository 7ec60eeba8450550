"""Debates about questions: debates, consultancy, and judges and debaters alone.

    uv run python configs/debate.py -T dataset=mine.jsonl --model-role debater_a=M1 \
        --model-role debater_b=M2 --model-role judge=M3

The judge should be no debater. In two epochs everybody argues for both answers.
"""

from inspect_debate.cli.whole_study import LogOf, Study, run, whole_study

RECOMMENDED = {
    "debate": run(protocol="copmad", order="both"),
    "collaborative": run(protocol="colmad", order="both"),
    "consultancy": run(protocol="consultancy", order="both"),
    "blind_judge": run(protocol="judge_alone", order="both"),
    "judge_who_read": run(protocol="judge_alone", order="both", hidden="nothing"),
    "debate_before_a_judge_who_read": run(
        protocol="copmad", order="both", hidden="nothing", reuse=LogOf("debate")
    ),
    "single": run(protocol="single"),
}

STUDY = Study("debate", RECOMMENDED, epochs=2)

if __name__ == "__main__":
    whole_study(STUDY)()
