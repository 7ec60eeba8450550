"""How much of the prompts a provider's prefix cache could have served."""

from hashlib import blake2b

BLOCK = 256
"""Characters per block: 64 tokens at four characters each."""

_REMEMBERED = 100_000


class PrefixMemory:
    """Remembers prompts by blocks, each known only together with all before it.

    A bounded number of blocks is remembered; the oldest are forgotten.
    """

    def __init__(self) -> None:
        self._recent: set[bytes] = set()
        self._older: set[bytes] = set()
        self._repeated = 0
        self._all = 0

    def seen(self, text: str) -> int:
        """Characters, in whole blocks, that repeat the beginning of an earlier prompt.

        Args:
            text: The whole prompt; it is remembered for the prompts that follow.
        """
        chain: list[bytes] = []
        digest = b""
        for start in range(0, len(text) - BLOCK + 1, BLOCK):
            block = text[start : start + BLOCK].encode(errors="surrogatepass")
            digest = blake2b(block, key=digest, digest_size=8).digest()
            chain.append(digest)
        known = 0
        while known < len(chain) and self._knows(chain[known]):
            known += 1
        self._remember(chain)
        self._repeated += known * BLOCK
        self._all += len(text)
        return known * BLOCK

    @property
    def share(self) -> float:
        """Share of all characters so far that repeated a prefix; NaN before any."""
        return self._repeated / self._all if self._all else float("nan")

    def _knows(self, digest: bytes) -> bool:
        return digest in self._recent or digest in self._older

    def _remember(self, chain: list[bytes]) -> None:
        self._recent.update(chain)
        if len(self._recent) > _REMEMBERED:
            self._older, self._recent = self._recent, set()
