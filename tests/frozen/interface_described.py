"""What users name: registered parts with their parameters, commands with theirs.

Run as a script, from outside of the checkout, it prints both as JSON. Inside of it,
where the package's build metadata lie, Inspect would leave `inspect_debate/` off the
names.
"""

import inspect
import json
from importlib.metadata import entry_points
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import click
from inspect_ai._util.registry import registry_find, registry_info

PACKAGE = "inspect_debate"
KINDS = ("task", "solver", "scorer", "metric", "reducer", "modelapi", "sandboxenv")


def console_script() -> click.Group:
    """The command that is installed as `inspect-debate`."""
    (script,) = entry_points(group="console_scripts", name="inspect-debate")
    found = script.load()
    assert isinstance(found, click.Group)
    return found


def registered() -> dict[str, Any]:
    """Every registered part by kind and name: its parameters in their order.

    Of hooks, their descriptions; of a sandbox, its configuration files.
    """
    (ours,) = entry_points(group="inspect_ai", name=PACKAGE)
    ours.load()
    found: dict[str, Any] = {kind: {} for kind in (*KINDS, "hooks")}
    for part in registry_find(lambda info: info.name.startswith(f"{PACKAGE}/")):
        info = registry_info(part)
        name = info.name.removeprefix(f"{PACKAGE}/")
        if info.type == "hooks":
            found[info.type][name] = info.metadata["description"]
        elif info.type == "sandboxenv":
            found[info.type][name] = _sandbox(part)
        else:
            found[info.type][name] = _parameters(part)
    return found


def _sandbox(part: Any) -> dict[str, Any]:
    files = part.config_files() if hasattr(part, "config_files") else []
    return {"config_files": files}


def _parameters(part: Any) -> list[dict[str, Any]]:
    plain = inspect.unwrap(part)
    hints = get_type_hints(plain)
    return [
        {
            "name": name,
            "kind": parameter.kind.description,
            "type": type_text(hints.get(name, Any)),
            "default": default_text(parameter.default),
        }
        for name, parameter in inspect.signature(plain).parameters.items()
    ]


def type_text(hint: Any) -> str:
    """A type with the names of classes, not of the modules they are in."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint is NoneType or hint is None:
        return "None"
    if hint is Any:
        return "Any"
    if origin in (Union, UnionType):
        return " | ".join(map(type_text, arguments))
    if origin is Literal:
        return " | ".join(map(repr, arguments))
    if isinstance(hint, list):
        return f"[{', '.join(map(type_text, hint))}]"
    if origin is not None:
        inner = ", ".join("..." if one is ... else type_text(one) for one in arguments)
        return f"{getattr(origin, '__name__', str(origin))}[{inner}]"
    return getattr(hint, "__name__", str(hint))


def default_text(default: Any) -> str:
    """How a default is written; `required` where there is none."""
    return "required" if default is inspect.Parameter.empty else repr(default)


def commands() -> dict[str, Any]:
    """Every command, by the words that are typed, with its help and parameters."""
    found: dict[str, Any] = {}
    _walk(console_script(), "inspect-debate", found)
    return found


def _walk(command: click.Command, words: str, found: dict[str, Any]) -> None:
    found[words] = {
        "help": " ".join((command.help or "").split()),
        "parameters": [_typed(one) for one in command.params],
    }
    if isinstance(command, click.Group):
        for name in sorted(command.commands):
            _walk(command.commands[name], f"{words} {name}", found)


def _typed(one: click.Parameter) -> dict[str, Any]:
    described: dict[str, Any] = {
        "names": sorted([*one.opts, *one.secondary_opts]),
        "argument": isinstance(one, click.Argument),
        "type": _click_type(one.type),
        "default": _click_default(one.default),
        "multiple": one.multiple,
        "nargs": one.nargs,
        "required": one.required,
    }
    if isinstance(one, click.Option):
        described |= {
            "help": " ".join((one.help or "").split()),
            "flag": one.is_flag,
            "hidden": one.hidden,
        }
    return described


def _click_type(of: Any) -> str:
    if isinstance(of, click.Choice):
        return f"one of {', '.join(map(str, of.choices))}"
    if isinstance(of, click.IntRange | click.FloatRange):
        return f"{of.name} from {of.min} to {of.max}"
    return str(of.name)


def _click_default(default: Any) -> str | None:
    unset = default is None or "UNSET" in repr(default)
    return None if unset or callable(default) else repr(default)


if __name__ == "__main__":
    print(json.dumps({"registered": registered(), "commands": commands()}))
