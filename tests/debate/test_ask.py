"""Calls: statuses, reminders, refused settings, the cache, failures of providers."""

import json
import math
import re
from itertools import count
from pathlib import Path
from typing import Any

import anyio
import pytest
from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.model import (
    ChatMessageAssistant,
    Content,
    ContentReasoning,
    ContentText,
    GenerateConfig,
    Logprob,
    Logprobs,
    ModelOutput,
    StopDetails,
    TopLogprob,
)
from inspect_ai.util import LimitExceededError

from inspect_debate.debate.ask import Read, ask, free_text, together
from inspect_debate.debate.record import Debate, Turn
from inspect_debate.debate.roles import Participant
from inspect_debate.debate.text import escape, verified
from inspect_debate.solvers.baselines import ensemble, self_consistency, single
from inspect_debate.solvers.colmad import colmad
from tests.support import (
    TASK,
    Answer,
    Call,
    Script,
    good,
    items,
    reply,
    run,
)


def one_or_two(said: str) -> Read:
    """Reads the digit at the end of a reply."""
    answer = said[-1:]
    ok = answer in ("1", "2")
    place = (len(said) - 1, len(said))
    names = {"error": "1", "no_error": "2"}
    return Read(escape(said), {"answer": answer}, ok, True, (), place, names)


def quoting(said: str) -> Read:
    """Free text with quotes that are checked."""
    public, quotes = verified(said, {"task": TASK})
    return Read(public, {}, quotes=tuple(quotes), complete=True)


def turn(answer: Answer | Script, parse: Any = one_or_two, **options: Any) -> Turn:
    script = answer if isinstance(answer, Script) else Script(answer)
    who = Participant("Alice", "debater_a", script.model())
    return asked(who, parse, **options)


def asked(who: Participant, parse: Any = one_or_two, **options: Any) -> Turn:
    async def call() -> Turn:
        how = {"reminder": "Again.", **options}
        return await ask(who, "answer", "Speak.", parse, **how)

    return anyio.run(call)


def flagged(text: str) -> ModelOutput:
    output = reply(text)
    output.choices[0].stop_details = StopDetails(type="refusal")
    return output


def reasoned(reasoning: str, text: str) -> ModelOutput:
    parts: list[Content] = [
        ContentReasoning(reasoning=reasoning),
        ContentText(text=text),
    ]
    output = ModelOutput.from_message(ChatMessageAssistant(content=parts))
    output.usage = reply("").usage
    return output


def test_cached_input_is_counted() -> None:
    output = reply("1")
    assert output.usage
    output.usage.input_tokens_cache_read = 7
    output.usage.input_tokens_cache_write = 2
    assert turn(lambda _: output).input_tokens == 10 + 7 + 2


# --- Statuses -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "status", "public", "calls"),
    [
        (reply("I say 1"), "ok", "I say 1", 1),
        (reply("Who knows?"), "unparsed", "Who knows?\n\nWho knows?", 2),
        # Flags come before what can be read.
        (flagged("Answer: 1"), "refused", "", 1),
        (reply("Answer: 1", "content_filter"), "refused", "", 1),
        (reply("Answer: 1", "max_tokens"), "truncated", "Answer: 1", 1),
        (reply("context length is 2048 1", "model_length"), "truncated", "", 1),
        # In words, only where nothing was read.
        (reply("I'm sorry, but I can't help with that."), "refused", "", 1),
        (reply("I'm sorry, I can't help. 1"), "ok", "I'm sorry, I can't help. 1", 1),
        (reply(""), "missing", "", 2),
        (reply("<think>It is 1"), "missing", "", 2),
        (reasoned("It is 1", ""), "missing", "", 2),
        (reasoned("SECRET", "It is 1"), "ok", "It is 1", 1),
    ],
)  # fmt: skip
def test_status(said: ModelOutput, status: str, public: str, calls: int) -> None:
    script = Script(lambda _: said)
    given = turn(script)
    assert (given.status, given.public, len(script.calls)) == (status, public, calls)
    assert given.fields == ({"answer": "1"} if status == "ok" else {})
    assert said.completion in given.private or status == "missing"


def test_too_long_a_reply_is_cut_and_has_no_fields() -> None:
    given = turn(lambda _: "word " * 30_000 + "1")
    assert (given.status, given.fields) == ("capped", {})
    assert 119_000 < len(given.public) < 120_100
    # No tag is left open where it is cut.
    long = "word " * 23_990 + "<quote>three colours and more</quote> 1"
    for spaces in range(0, 80, 7):
        shown = turn(lambda _, n=spaces: " x" * n + long, quoting).public  # type: ignore[misc]  # a bound default
        assert shown.count("<u_quote>") == shown.count("</u_quote>")
        assert re.fullmatch(r"[^<]*(<u_quote>[^<]*</u_quote>)?[^<]*", shown)
    unread = turn(lambda _: "word " * 30_000)
    assert unread.status == "unparsed"
    assert len(unread.public) < 120_100


@pytest.mark.parametrize(
    ("second", "status", "public"),
    [
        ("1", "ok", "My reasons.\n\n1"),
        ("Still not.", "unparsed", "My reasons.\n\nStill not."),
        (reply("1", "max_tokens"), "truncated", "My reasons.\n\n1"),
        (flagged("1"), "refused", ""),
    ],
)
def test_one_reminder_in_the_same_conversation(
    second: str | ModelOutput, status: str, public: str
) -> None:
    script = Script(
        lambda c: second if c.what.reminder else "<think>SECRET</think>My reasons."
    )
    given = turn(script, system="Be brief.")
    assert (given.status, given.public, given.reminded) == (status, public, True)
    said = [(message.role, message.text) for message in script.calls[1].messages]
    assert said == [
        ("system", "Be brief."),
        ("user", "Speak."),
        ("assistant", "My reasons."),
        ("user", "Again."),
    ]
    assert "SECRET" in given.private


def test_an_empty_reply_is_sent_back_as_words() -> None:
    script = Script(lambda c: "Now." if c.what.reminder else "<think>Hm.")
    assert turn(script, free_text).public == "Now."
    assert script.calls[1].messages[1].text == "(no answer)"


def test_a_speech_after_the_reminder_replaces_the_first(tmp_path: Path) -> None:
    def answer(call: Call) -> str:
        if call.what.kind == "speech" and not call.what.reminder:
            return "<argument></argument> FIRST"
        return good(call)

    debate = run(tmp_path, colmad(rounds=1), answer).debate
    assert [t.status for t in debate.of("speech")] == ["ok", "ok"]
    assert "FIRST" not in "".join(t.public for t in debate.turns)


def test_reminders_can_be_turned_off(tmp_path: Path) -> None:
    done = run(tmp_path, ensemble(reminders=0), lambda _: "Who knows?")
    assert done.kinds() == ["answer", "answer"]
    assert not any(t.reminded for t in done.debate.turns)


# --- Settings -------------------------------------------------------------------------


class BadRequest(RuntimeError):
    """A bad request, as Inspect reports it: its own text ends with the request."""

    def __init__(self, said: str, status_code: int = 400) -> None:
        super().__init__(f"{said} Request: temperature, logprobs, seed, max_tokens")
        self.provider_message, self.status_code = said, status_code


REFUSALS = [
    "Unsupported value: 'temperature' does not support 0.0 with this model. Only the "
    "default (1) value is supported.",
    "`temperature` is deprecated for this model.",
    "invalid temperature: only 1 is allowed for this model",
    "Unrecognized request argument supplied: temperature",
    "temperature must be strictly positive",
]


def refuses(setting: str, said: str) -> Script:
    def answer(call: Call) -> str:
        if getattr(call.config, setting) is not None:
            raise BadRequest(said)
        return "1"

    return Script(answer)


@pytest.mark.parametrize("said", REFUSALS)
def test_a_refused_temperature_is_left_out_and_remembered(said: str) -> None:
    first, other = refuses("temperature", said), Script(lambda _: "1")
    model, config = first.model(), GenerateConfig(temperature=0.0, max_tokens=9)
    for _ in range(2):
        given = asked(Participant("Alice", "debater_a", model), config=config)
        assert (given.status, given.omitted) == ("ok", ["temperature"])
    sent = [(c.config.temperature, c.config.max_tokens) for c in first.calls]
    assert sent == [(0.0, 9), (None, 9), (None, 9)]
    # Another model of that name, such as at another address, is asked with it.
    assert turn(other, config=config).omitted == []
    assert other.calls[0].config.temperature == 0.0


def test_several_settings_are_refused_one_after_the_other() -> None:
    def answer(call: Call) -> str:
        for name in ("temperature", "logprobs"):
            if getattr(call.config, name) is not None:
                raise BadRequest(f"{name} is not supported")
        return "1"

    config = GenerateConfig(temperature=0.0, logprobs=True)
    assert turn(answer, config=config).omitted == ["logprobs", "temperature"]


@pytest.mark.parametrize(
    ("said", "code"), [("mind the temperature", 503), ("max_tokens is too large", 400)]
)
def test_other_errors_end_the_run(said: str, code: int) -> None:
    def answer(call: Call) -> str:
        raise BadRequest(said, code)

    with pytest.raises(BadRequest):
        turn(answer, config=GenerateConfig(temperature=0.0))


@pytest.mark.parametrize("where", ["role", "run", "study"])
@pytest.mark.parametrize("bound", [True, False])
def test_a_setting_of_the_users_is_never_dropped(
    tmp_path: Path, where: str, bound: bool
) -> None:
    """The user may have meant it, and can take it back."""
    script = refuses("temperature", REFUSALS[1])
    done = run(
        tmp_path,
        single(reminders=0),
        script,
        roles={"debater_a": script.model(temperature=0.5 if where == "role" else None)}
        if bound or where == "role"
        else {},
        model="scripted",
        temperature=0.5 if where == "run" else None,
    )
    assert done.log.status == ("success" if where == "study" else "error")


def test_each_draw_has_a_seed_of_its_own() -> None:
    script = Script(lambda _: "1")
    who = Participant("Alice", "debater_a", script.model(seed=5))
    for draw in range(3):
        asked(who, draw=draw)
    assert [call.config.seed for call in script.calls] == [5, 6, 7]


@pytest.mark.parametrize(
    ("binding", "role", "typed", "expected"),
    [
        (binding, role, typed, (expected, 99))
        for binding in ("bound", "main by name", "main as an object")
        for role, typed, expected in (
            (None, None, 0.7), (None, 0.4, 0.4), (0.2, None, 0.2), (0.2, 0.4, 0.2)
        )
        if role is None or binding != "main by name"
    ],
)  # fmt: skip
def test_settings_role_then_run_then_study(
    tmp_path: Path,
    binding: str,
    role: float | None,
    typed: float | None,
    expected: tuple[float, int],
) -> None:
    script = Script()
    own = {} if role is None else {"temperature": role}
    data = MemoryDataset(items())
    study = Task(
        data,
        solver=self_consistency(n=1, max_tokens=99),
        metadata={"protocol": "self_consistency"},
    )
    run(
        tmp_path,
        study,
        script,
        roles={"debater_a": script.model(**own)} if binding == "bound" else {},
        model={
            "bound": "none",
            "main by name": "scripted",
            "main as an object": script.model(**own),
        }[binding],
        temperature=typed,
    )
    sent = [(call.config.temperature, call.config.max_tokens) for call in script.calls]
    assert sent == [expected]


def test_the_main_models_own_settings_are_no_other_roles(tmp_path: Path) -> None:
    script = Script()
    study = Task(
        MemoryDataset(items()), solver=ensemble(), metadata={"protocol": "ensemble"}
    )
    run(
        tmp_path,
        study,
        script,
        roles={"debater_b": script.model()},
        model=script.model(temperature=0.2),
    )
    sent = {call.what.role: call.config.temperature for call in script.calls}
    assert sent == {"debater_a": 0.2, "debater_b": 0.0}


def test_a_foreign_tasks_own_settings_are_for_its_own_solver(tmp_path: Path) -> None:
    script = Script()
    foreign = Task(
        MemoryDataset(items()),
        solver=ensemble(),
        config=GenerateConfig(temperature=0.9, max_tokens=5),
    )
    run(tmp_path, foreign, script, roles=["debater_b"], model="scripted", top_p=0.5)
    sent = {(c.config.temperature, c.config.max_tokens, c.config.top_p)
            for c in script.calls}  # fmt: skip
    assert sent == {(0.0, 4096, 0.5)}


# --- The cache ------------------------------------------------------------------------


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))


def counted() -> Answer:
    """Answers that are told apart by when they were given."""
    numbers = count()
    return lambda call: f"Reply {next(numbers)}.\n{good(call)}"


@pytest.mark.usefixtures("cache")
def test_nothing_is_cached_unless_asked(tmp_path: Path) -> None:
    for _ in range(2):
        assert len(run(tmp_path, ensemble()).calls) == 2


@pytest.mark.usefixtures("cache")
@pytest.mark.parametrize("solver", [self_consistency, colmad])
def test_a_rerun_from_the_cache_gives_the_same_replies(
    tmp_path: Path, solver: Any
) -> None:
    first = run(tmp_path, solver(), counted(), cache=True)
    again = run(tmp_path, solver(), counted(), cache=True)
    texts = [turn.private for turn in first.debate.turns]
    assert len(first.calls) == len({*texts}) == 7
    assert again.calls == []
    assert [turn.private for turn in again.debate.turns] == texts


@pytest.mark.usefixtures("cache")
def test_other_roles_and_model_arguments_share_no_cached_reply() -> None:
    script, config = Script(lambda _: "1"), GenerateConfig(cache=True)

    def scripted(role: str, port: int) -> Participant:
        model = script.model()
        model.model_args = {"port": port}
        return Participant("Alice", role, model)

    for role, port, draw in [
        ("debater_a", 1, 0),
        ("debater_b", 1, 0),
        ("debater_a", 2, 0),
        ("debater_a", 1, 1),
        ("debater_a", 1, 0),
    ]:
        asked(scripted(role, port), config=config, draw=draw)
    assert len(script.calls) == 4


# --- Providers that fail --------------------------------------------------------------


def no_choices() -> ModelOutput:
    output = reply("")
    output.choices = []
    return output


@pytest.mark.parametrize("broken", [json.JSONDecodeError("x", "y", 0), no_choices()])
def test_what_is_no_completion_is_asked_for_again(broken: Any) -> None:
    left = [broken, broken]

    def answer(call: Call) -> str | ModelOutput:
        if not left:
            return "1"
        failed = left.pop()
        if isinstance(failed, Exception):
            raise failed
        assert isinstance(failed, ModelOutput)
        return failed

    script = Script(answer)
    given = turn(script)
    assert (given.status, len(script.calls)) == ("ok", 3)


def test_no_completion_at_all() -> None:
    script = Script(lambda _: no_choices())
    given = turn(script, reminders=0)
    assert (given.status, given.public, len(script.calls)) == ("missing", "", 4)
    assert given.error

    def broken(call: Call) -> str:
        raise json.JSONDecodeError("x", "y", 0)

    with pytest.raises(RuntimeError):
        turn(broken)


@pytest.mark.parametrize("known", [True, False], ids=["stop reason", "bad request"])
def test_a_context_error_is_never_public(tmp_path: Path, known: bool) -> None:
    said = "This model's maximum context length is 2048 tokens. 1"

    def answer(call: Call) -> str | ModelOutput:
        if call.what.kind != "speech":
            return good(call)
        if known:
            return reply(said, "model_length")
        raise BadRequest(said)

    done = run(tmp_path, colmad(), answer)
    assert {t.status for t in done.debate.of("speech")} == {"truncated"}
    assert all(t.error == said for t in done.debate.of("speech"))
    assert not any("maximum context" in c.text for c in done.calls)
    # Nobody was heard: no judge is asked, and nothing is scored.
    assert not done.debate.of("verdict")
    assert done.debate.answer is None


# --- Calls at once --------------------------------------------------------------------


def held(*calls: Any) -> tuple[list[str], Exception | None]:
    debate, failure = Debate(), None

    async def named(name: str, wait: float) -> Turn:
        await anyio.sleep(wait)
        return Turn(speaker=name, role="r", kind="k")

    async def fails(error: Exception) -> Turn:
        raise error

    async def call() -> None:
        coroutines = [
            fails(one) if isinstance(one, Exception) else named(*one) for one in calls
        ]
        await together(debate, *coroutines)

    try:
        anyio.run(call)
    except Exception as error:
        failure = error
    return [turn.speaker for turn in debate.turns], failure


def test_turns_are_recorded_in_the_order_of_the_calls() -> None:
    assert held(("a", 0.02), ("b", 0), ("c", 0.01)) == (["a", "b", "c"], None)


def test_all_calls_end_before_a_failure_is_raised_limits_first() -> None:
    limit = LimitExceededError("token", value=2, limit=1)
    spoke, failure = held(RuntimeError("credit"), ("a", 0.02), limit, ("b", 0))
    assert (spoke, failure) == (["a", "b"], limit)
    spoke, failure = held(("a", 0.02), RuntimeError("credit"))
    assert (spoke, str(failure)) == (["a"], "credit")


def test_what_was_said_before_a_time_limit_is_kept() -> None:
    debate = Debate()

    async def named(name: str, wait: float) -> Turn:
        await anyio.sleep(wait)
        return Turn(speaker=name, role="r", kind="k")

    async def call() -> None:
        with anyio.move_on_after(0.05):
            await together(debate, named("slow", 5), named("quick", 0))

    anyio.run(call)
    assert [turn.speaker for turn in debate.turns] == ["quick"]


# --- Log-probabilities ----------------------------------------------------------------


def spelled(*tokens: tuple[str, float], tops: dict[str, float] | None = None) -> Answer:
    """A reply of tokens; `tops` are the alternatives at the last one."""
    content = [Logprob(token=t, logprob=p) for t, p in tokens]
    content[-1].top_logprobs = [
        TopLogprob(token=t, logprob=math.log(p)) for t, p in (tops or {}).items()
    ]

    def answer(call: Call) -> ModelOutput:
        output = reply("".join(t for t, _ in tokens))
        output.choices[0].logprobs = Logprobs(content=content)
        return output

    return answer


def test_log_probabilities_are_of_the_answers_own_place() -> None:
    script = spelled(
        ("<think>1</think>", -9), ("Not 1", -9), (", so: ", -8), ("1", math.log(0.8)),
        tops={" 1": 0.5, "1": 0.1, "2": 0.2, "x": 0.1},
    )  # fmt: skip
    given = turn(script)
    assert given.logprobs == [pytest.approx(math.log(0.8))]
    assert given.probabilities == pytest.approx({"error": 0.75, "no_error": 0.25})


def test_log_probabilities_that_spell_another_text_are_not_used() -> None:
    def answer(call: Call) -> ModelOutput:
        output = reply("So 1")
        output.choices[0].logprobs = Logprobs(
            content=[Logprob(token="2", logprob=-0.1)]
        )
        return output

    given = turn(answer)
    assert (given.logprobs, given.probabilities) == ([], {})
