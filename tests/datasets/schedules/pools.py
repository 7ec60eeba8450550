"""Pools of models, and debates that were held, drawn by hypothesis."""

from collections.abc import Sequence

from hypothesis import strategies as st

from inspect_debate.datasets.schedules import Pairing, Result


def pool(size: int, of_a_family: int = 2) -> list[str]:
    """Models of families of a size; their order in the alphabet means nothing."""
    return [f"{'zyxwvutsrqponmlk'[n // of_a_family]}/{n}" for n in range(size)]


@st.composite
def held(
    draw: st.DrawFn, models: Sequence[str], motions: Sequence[str], most: int
) -> list[Pairing]:
    """Debates that were held before."""
    seats = st.permutations(models).map(lambda order: (order[0], order[1]))
    rows = draw(st.lists(st.tuples(seats, st.sampled_from(motions)), max_size=most))
    return [Pairing(*pair, motion) for pair, motion in rows]


@st.composite
def results(
    draw: st.DrawFn, models: Sequence[str], motions: Sequence[str], most: int
) -> list[Result]:
    """Debates with what juries decided; few margins, so that there are ties."""
    won = st.sampled_from([True, False, None])
    margin = st.sampled_from([-30.0, 0.0, 0.1, 0.2, 0.3, 55.5])
    return [
        Result(debate, draw(won), draw(margin))
        for debate in draw(held(models, motions, most))
    ]
