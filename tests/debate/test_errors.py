import click
import pytest

from inspect_debate.debate.errors import (
    InputError,
    check_choice,
    check_flag,
    check_whole_number,
)


def test_an_input_error_is_one_sentence_for_command_line_and_python() -> None:
    error = InputError("rounds=-1 is not allowed.")
    assert isinstance(error, click.ClickException)
    assert isinstance(error, ValueError)
    assert error.format_message() == str(error) == "rounds=-1 is not allowed."


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            "colmda",
            "protocol='colmda' is not known; allowed: colmad, single. "
            "Did you mean 'colmad'?",
        ),
        ("x", "protocol='x' is not known; allowed: colmad, single."),
        ("Colmad", None),
        ("colmad ", None),
        ("", None),
        (None, None),
        (3, None),
        (["colmad"], None),
        (True, None),
    ],
)
def test_another_choice_is_named(given: object, message: str | None) -> None:
    with pytest.raises(InputError) as caught:
        check_choice("protocol", given, ("colmad", "single"))
    start = f"protocol={given!r} is not known; allowed: colmad, single."
    assert str(caught.value).startswith(start)
    assert message in (None, str(caught.value))


@pytest.mark.parametrize("given", [-1, 2.0, "2", None, True, False, [2], float("nan")])
def test_what_is_no_whole_number_is_named(given: object) -> None:
    with pytest.raises(InputError) as caught:
        check_whole_number("rounds", given, at_least=0)
    assert str(caught.value) == (
        f"rounds={given!r} is not allowed; give a whole number of at least 0."
    )


@pytest.mark.parametrize("given", [0, 1, "true", "", None])
def test_what_is_no_flag_is_named(given: object) -> None:
    check_flag("skip_if_agree", True)
    check_flag("skip_if_agree", False)
    with pytest.raises(InputError) as caught:
        check_flag("skip_if_agree", given)
    assert str(caught.value) == (
        f"skip_if_agree={given!r} is not allowed; give true or false."
    )
