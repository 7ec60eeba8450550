"""What a sandbox shows of the host, read-only."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Self


class Bind(NamedTuple):
    """A file or folder of the host, and where it is seen inside."""

    source: str
    destination: str


class Link(NamedTuple):
    """A symbolic link to make inside."""

    path: str
    target: str


@dataclass(frozen=True)
class View:
    """Files and folders of the host, and the links that lead to them."""

    binds: tuple[Bind, ...] = ()
    links: tuple[Link, ...] = ()

    @classmethod
    def of(cls, paths: list[str]) -> Self:
        """The view that makes some paths of the host work inside under their names.

        Links on the way are made again, so that a program finds its files by them.
        Paths that do not exist are left out.
        """
        binds, links = [], []
        for path in filter(os.path.exists, paths):
            followed = follow(path)
            links += followed.links
            binds.append(Bind(followed.real, followed.real))
        return cls(tuple(dict.fromkeys(binds)), tuple(dict.fromkeys(links)))

    def beside(self, other: "View") -> "View":
        """The same without what the other view shows, nor itself already."""
        shown = [bind.destination for bind in other.binds]
        binds = []
        for bind in sorted(self.binds, key=lambda bind: bind.destination):
            if not _covered(bind.destination, shown):
                shown.append(bind.destination)
                binds.append(bind)
        links = (
            link
            for link in self.links
            if link not in other.links and not _covered(link.path, shown)
        )
        return View(tuple(binds), tuple(links))


class Followed(NamedTuple):
    """The links on the way to a file, and the file itself."""

    links: list[Link]
    real: str


def follow(path: str) -> Followed:
    """Resolve an existing absolute path, one link after the other."""
    links: list[Link] = []
    real = Path("/")
    rest = list(Path(path).parts[1:])
    while rest:
        part = rest.pop(0)
        place = real.parent if part == ".." else real / part
        if not place.is_symlink():
            real = place
            continue
        target = os.readlink(place)
        links.append(Link(str(place), target))
        real = Path("/") if target.startswith("/") else real
        rest = [*filter(None, target.split("/")), *rest]
        rest = [part for part in rest if part != "."]
    return Followed(links, str(real))


def _covered(path: str, shown: list[str]) -> bool:
    return any(Path(path).is_relative_to(place) for place in shown)
