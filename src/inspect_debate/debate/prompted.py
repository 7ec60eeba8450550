"""What every protocol starts with: its parameters, prompts and settings."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple

from inspect_ai.model import GenerateConfig

from inspect_debate.debate.ask import Asking, Parse, ask
from inspect_debate.debate.prompts import Prompts
from inspect_debate.debate.record import Debate, recorded
from inspect_debate.debate.roles import PANELS, Participant, check_roles


class Prompted(NamedTuple):
    """A protocol's parameters, prompts and settings, with which it asks for turns."""

    parameters: dict[str, Any]
    texts: Prompts
    config: GenerateConfig = GenerateConfig()
    panels: tuple[str, ...] = PANELS

    @classmethod
    def of(
        cls, parameters: dict[str, Any], paper: GenerateConfig, *files: Path
    ) -> "Prompted":
        """Check the roles, and read the prompts in some files.

        The parameters `max_tokens` and `temperature` replace the study's own settings.
        """
        check_roles()
        given = {"max_tokens", "temperature"} & parameters.keys()
        config = paper.merge(GenerateConfig(**{key: parameters[key] for key in given}))
        return cls(parameters, Prompts(*files, overlay=parameters["prompts"]), config)

    def recorded(self, protocol: str) -> AbstractContextManager[Debate]:
        """Hold a debate, and store it at the end."""
        check_roles(self.panels)  # of a task made in Python they are known only now
        return recorded(protocol, self.parameters, self.texts.hashes)

    def ask(
        self,
        who: Participant,
        kind: str,
        parse: Parse,
        values: Mapping[str, Any],
        *,
        prompt: str = "",
        system: str = "",
        reminder: str = "",
        **how: Any,
    ) -> Asking:
        """Ask for a turn as `ask` does, with keys of prompts in place of texts.

        By default the kind is the key of the message, and its `_reminder` is used.
        """
        key = prompt or kind
        return ask(
            who,
            kind,
            self.texts(key, **values),
            parse,
            system=self.texts(system, **values) if system else "",
            reminder=self.texts(reminder or f"{key}_reminder", **values),
            reminders=self.parameters["reminders"],
            **{"config": self.config} | how,
        )
