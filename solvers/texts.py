"""A prompt of a system message and a user message."""

from dataclasses import dataclass

from inspect_ai.model import ChatMessage, ChatMessageSystem, ChatMessageUser


@dataclass(frozen=True)
class Texts:
    """The two texts of a prompt."""

    system: str
    user: str

    def messages(self) -> list[ChatMessage]:
        """The prompt as messages."""
        return [
            ChatMessageSystem(content=self.system),
            ChatMessageUser(content=self.user),
        ]
