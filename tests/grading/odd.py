"""Right answers to the task of `victim` whose text has an unusual form."""

from tests.grading.victim import RIGHT

_RIGHT = RIGHT.replace("task_func", "answer")
_CALLED = "\ndef task_func(numbers):\n    return answer(numbers)\n"
_BODY = RIGHT.strip()

ODD = {
    "a Greek variable": RIGHT.replace("total", "τ").replace('"τ"', '"total"'),
    "a German function": _RIGHT.replace("answer", "größe")
    + _CALLED.replace("answer", "größe"),
    "a Chinese parameter": RIGHT.replace("numbers", "数"),
    "a class with an accent": _RIGHT
    + "class Résultat:\n    def calculé(self, n):\n        return answer(n)\n"
    + "def task_func(numbers):\n    return Résultat().calculé(numbers)\n",
    "an identifier that is normalized": _RIGHT
    + "ﬁle = 1\nassert file == 1\n"
    + _CALLED,
    "an attribute that is not ASCII": _RIGHT
    + "def task_func(numbers):\n    task_func.größe = 1\n    return answer(numbers)\n",
    "an f-string with one": _RIGHT + "é = 1\nassert f'{é}' == '1'\n" + _CALLED,
    "a byte-order mark": "\ufeff" + RIGHT,
    "a byte-order mark, and a future": (
        "\ufefffrom __future__ import annotations\n" + RIGHT
    ),
    "line ends of Windows": RIGHT.replace("\n", "\r\n"),
    "line ends of Windows, and a future": (
        "from __future__ import annotations\n" + RIGHT
    ).replace("\n", "\r\n"),
    "old line ends": RIGHT.replace("\n", "\r"),
    "line ends of both kinds": RIGHT.replace("\n", "\r\n", 3),
    "no line end": _BODY,
    "many line ends": "\n" * 50 + RIGHT + "\n" * 50,
    "spaces at its end": RIGHT + "    ",
    "a comment at its end": _BODY + "  # done",
    "form feeds": RIGHT.replace("\n    total", "\n\f\n    total"),
    "tabs": RIGHT.replace("        ", "\t\t").replace("    ", "\t"),
    "one space": RIGHT.replace("    ", " "),
    "semicolons": RIGHT.replace(
        "json.dumps(numbers)\n    total", "json.dumps(numbers); total"
    ),
    "lines that go on": RIGHT.replace(" / 2", " \\\n        / 2"),
    "a shebang and a cookie": "#!/usr/bin/python3\n# -*- coding: latin-1 -*-\n" + RIGHT,
    "a docstring": '"""Ein Modul für alle."""\n' + RIGHT,
    "a docstring and a future": '"""A."""\nfrom __future__ import annotations\n'
    + RIGHT,
    "a main block": RIGHT + "if __name__ == '__main__':\n    print(task_func([1]))\n",
    "a main function": RIGHT
    + "def main():\n    task_func([])\nif __name__ == '__main__':\n    main()\n",
    "prints": "print('begun')\n" + RIGHT + "print(task_func([1, 2]), flush=True)\n",
    "prints to stderr": "import sys\n" + RIGHT + "print('é', file=sys.stderr)\n",
    "writes": "import sys\nsys.stdout.write('é\\n')\nsys.stdout.flush()\n" + RIGHT,
    "an async helper": _RIGHT
    + "import asyncio\nasync def help_(n):\n    return answer(n)\n"
    + "def task_func(numbers):\n    return asyncio.run(help_(numbers))\n",
    "many async helpers": _RIGHT
    + "import asyncio\nasync def one(n):\n    await asyncio.sleep(0)\n    return n\n"
    + "async def all_(n):\n    return await asyncio.gather(*map(one, n))\n"
    + "def task_func(numbers):\n    return answer(asyncio.run(all_(numbers)))\n",
    "a loop of its own": _RIGHT
    + "import asyncio\nasync def help_(n):\n    return answer(n)\n"
    + "def task_func(numbers):\n    loop = asyncio.new_event_loop()\n"
    + "    try:\n        return loop.run_until_complete(help_(numbers))\n"
    + "    finally:\n        loop.close()\n",
    "an async generator": _RIGHT
    + "import asyncio\nasync def each(n):\n    for x in n:\n        yield x\n"
    + "async def all_(n):\n    return [x async for x in each(n)]\n"
    + "def task_func(numbers):\n    return answer(asyncio.run(all_(numbers)))\n",
    "type hints": RIGHT.replace("(numbers)", "(numbers: 'list[Number]') -> dict", 1),
    "a match statement": _RIGHT
    + "def task_func(numbers):\n    match numbers:\n        case [*all_]:\n"
    + "            return answer(all_)\n",
    "an assignment in an expression": RIGHT.replace(
        "total = sum(numbers)", "(total := sum(numbers))"
    ),
    "names of its own for all": "__all__ = ['task_func']\n__version__ = '1'\n" + RIGHT,
    "the function twice": "def task_func(numbers):\n    return None\n" + RIGHT,
    "imports again": "import json, math, os\nfrom math import *\n" + RIGHT,
    "a try around its imports": (
        "try:\n    import no_such_module\nexcept ImportError:\n    pass\n" + RIGHT
    ),
    "an assertion on itself": RIGHT + "assert task_func([1])['total'] == 1\n",
    "a decorator of its own": "import functools\ndef same(function):\n"
    "    @functools.wraps(function)\n    def inner(*args):\n"
    "        return function(*args)\n    return inner\n@same\n" + RIGHT.lstrip(),
    "functions in functions": "def outer():\n"
    + "\n".join(f"    {line}" for line in _BODY.splitlines())
    + "\n    return task_func\ntask_func = outer()\n",
    "looks at its own frame's name": _RIGHT
    + "def task_func(numbers):\n    name = task_func.__name__\n"
    + "    assert name == 'task_func'\n    return answer(numbers)\n",
}
