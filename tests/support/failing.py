"""A model that a log can name: it uses tools, and fails at one of its calls."""

from collections import Counter
from typing import ClassVar

from inspect_ai.model import (
    ChatMessage,
    ChatMessageTool,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    modelapi,
)
from inspect_ai.tool import ToolChoice, ToolInfo


class Failing(ModelAPI):
    """Calls the calculator where there is one, and then speaks or judges.

    Attributes:
        asked: How often each prompt of each model was answered.
        fails: The number of the call that fails, once.
    """

    asked: ClassVar[Counter[tuple[str, str]]] = Counter()
    fails: ClassVar[int] = 0

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        if self.asked.total() + 1 == self.fails:
            type(self).fails = 0
            raise ConnectionError("the network is down")
        prompt = "\n".join(message.text for message in input)
        self.asked[self.model_name, prompt] += 1
        if tools and not isinstance(input[-1], ChatMessageTool):
            return ModelOutput.for_tool_call("m", "calculator", {"expression": "1 + 1"})
        spoken = "<argument>I looked.\nFinal: A\nConf: 1</argument>"
        said = "ANSWER: B" if self.model_name == "judge" else spoken
        return ModelOutput.from_content("m", said)


@modelapi(name="failing")
def _provider() -> type[ModelAPI]:
    return Failing
