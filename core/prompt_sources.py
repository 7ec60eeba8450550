"""Prompt files of a study's authors, read as an overlay over the suite's own."""

from collections.abc import Mapping

from inspect_debate.core.errors import InputError, check_name

# Ours, and what it is called in the repository of the confidence study and in its
# transcripts.
_CONFIDENCE = {
    "opening_structure": ("first_speech", "first_speech_prompt"),
    "rebuttal_structure": ("rebuttal_speech", "rebuttal_speech_prompt"),
    "closing_structure": ("final_speech", "final_speech_prompt"),
    "juror_system": ("judging_prompt", "judge_prompt"),
}
_OURS = {theirs: ours for ours, names in _CONFIDENCE.items() for theirs in names}
# All of their structures end with the guidance on judging.
_INCLUDED = {"judging_guidance": ""}


def as_overlay(
    where: str, study: str, content: Mapping[str, object]
) -> Mapping[str, object]:
    """A prompt file as our keys and texts, where it is one of the study's authors'.

    For the confidence study these are its repository's `debate_prompts.yaml` and the
    `prompts` of a transcript. Braces in their texts are literal.

    Args:
        where: What names the file, for errors.
        study: The study whose prompts are changed.
        content: What the file holds; the prompts may stand one level down.

    Returns:
        Our keys and texts; the content itself if none of the authors' keys is in it.

    Raises:
        InputError: If the authors' prompts are not complete, or stand beside others.
    """
    if study == "confidence":
        nested = (value for value in content.values() if isinstance(value, Mapping))
        for prompts in (content, *nested):
            if not _OURS.keys().isdisjoint(prompts):
                return _translated(where, prompts)
    return content


def _translated(where: str, prompts: Mapping[str, object]) -> Mapping[str, object]:
    for key in prompts:
        check_name(f"{where}: key", key, tuple(_OURS))
    texts = {_OURS[key]: _literal(where, key, text) for key, text in prompts.items()}
    for ours, names in _CONFIDENCE.items():
        if ours not in texts:
            raise InputError(
                f"{where} has {', '.join(prompts)} only; the authors' prompts have "
                f"{' or '.join(names)} as well."
            )
    return texts | _INCLUDED


def _literal(where: str, key: str, text: object) -> str:
    if not isinstance(text, str):
        raise InputError(f"{where}: the text of {key!r} is no text.")
    return text.replace("{", "{{").replace("}", "}}")
