"""Inspect's own client of a wire server, quick to try again."""

from typing import Any

import pytest
from inspect_ai.model import GenerateConfig, Model, get_model
from tenacity import wait_none

from tests.v1.support.wire.server import KEY, WireServer


def wire_model(
    server: WireServer,
    name: str = "m",
    config: GenerateConfig | None = None,
    max_retries: int = 4,
    client_retries: int = 0,
    **model_args: Any,
) -> Model:
    """A model of its own (never memoized) that asks a server over HTTP.

    Inspect waits 3 seconds and more before it asks again, so here it does not wait; and
    the OpenAI client below it leaves asking again to Inspect.

    Args:
        server: The server.
        name: What the model is called.
        config: Settings of the model.
        max_retries: How often Inspect asks again.
        client_retries: How often the OpenAI client asks again, for each time that
            Inspect asks.
        model_args: For the provider, such as `client_timeout` (seconds).
    """
    settings = GenerateConfig(max_retries=max_retries).merge(config or GenerateConfig())
    with pytest.MonkeyPatch.context() as patch:
        # Read when the client is made: whatever proxy there is, loopback is not there.
        patch.setenv("no_proxy", "127.0.0.1")
        model = get_model(
            f"openai-api/loopback/{name}",
            config=settings,
            base_url=server.url,
            api_key=KEY,
            memoize=False,
            max_retries=client_retries,
            **model_args,
        )
    pytest.MonkeyPatch().setattr(model.api, "retry_wait", wait_none)
    return model
