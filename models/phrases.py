"""The sentences that simulated texts are put together from.

None states a label in the words that label readers look for ("contains an error"),
so that only a text's last lines decide how it is read. `{other}` is the other debater,
`{n}` and `{m}` are the numbers of the answer believed and of the other one.
"""

ANSWER_OPENINGS = (
    "I list what the task requires and check the response against each point.",
    "To decide this I go through the task's requirements one after the other.",
    "I compare the response with the task, requirement by requirement.",
    "I first collect the explicit requirements, then hold the response against them.",
)
ASPECTS = (
    "Required parts: all that the task names should be there",
    "Form: length, number of parts and layout have to be as asked for",
    "Figures: every number should follow from the material",
    "Given facts: nothing in the material may be contradicted",
    "Claims: what is asserted should be true and not merely plausible",
    "Order of steps: each step has to follow from the one before",
    "Limits: whatever the task rules out should be absent",
    "Names and terms: they should match the material exactly",
    "The question itself: the response should answer what was asked",
    "Units and dates: they should agree with the task throughout",
)
MET = (
    "I find this met.",
    "The response does just that.",
    "Nothing departs from it.",
    "This holds when I check it word by word.",
    "I recomputed it and arrive at the same result.",
    "I looked for an exception and found none.",
)
BROKEN = (
    "This is where the response falls short: the requirement is named but not met.",
    "Here the response and the task do not agree.",
    "Recomputing it gives something else than the response states.",
    "The response asserts this without any support in the material.",
    "The condition is stated plainly in the task, and the response skips it.",
)
ANSWER_TURNS = {
    "error": (
        "One requirement that is not met is enough to settle the matter.",
        "The other points hold, but they cannot make up for the broken one.",
    ),
    "no_error": (
        "No requirement is left that the response does not meet.",
        "What could be criticised is style, which does not count here.",
    ),
}
LABEL_SENTENCES = {
    "error": "Therefore, the model response contains an error.",
    "no_error": "Therefore, the model response contains no error.",
}

PLANS = (
    "My strongest point is the direct comparison. I should test it before I use it.",
    "What would convince a careful reader? A check that can be repeated from the item.",
    "I must not repeat myself. Which requirement has nobody looked at so far?",
    "Where could {other} be right? I check that first and decide then how sure I am.",
    "I take two requirements, check them in order, and say openly where I am unsure.",
)
POSITIONS = {
    "error": (
        "My position is answer 1: the response has a fault that matters.",
        "I argue for answer 1: one requirement is broken.",
        "I hold answer 1, and the tests below show where the response goes wrong.",
    ),
    "no_error": (
        "My position is answer 2: the response does what the task asks.",
        "I argue for answer 2: every requirement is met.",
        "I hold answer 2, and the tests below found nothing that is wrong.",
    ),
}
CONCESSIONS = (
    "I was asked to make the case for answer {m}, but I now hold answer {n}.",
    "My own tests speak against answer {m}; I give it up for answer {n}.",
    "Answer {m} was mine to defend, and I cannot do it: I now believe answer {n}.",
)
FAIR_OPENINGS = (
    "The best that can be said for answer {m} is that a quick reading supports it.",
    "In favour of answer {m}, the passage in question can be read in two ways.",
    "{other} will rightly say that most of the requirements are not in dispute.",
    "A fair case for answer {m} exists: it rests on how strictly the task is read.",
)
FAIR_REBUTTALS = (
    "{other}'s strongest point is the literal wording, and it deserves an answer.",
    "{other} is right that my earlier test covered only a part of the response.",
    "{other} has shown that the wording is there; what it implies is another matter.",
    "I accept {other}'s reading of the task, but not what is concluded from it.",
    "The last test of {other} is sound as far as it goes; it stops one step early.",
)
QUOTED_TESTS = {
    "task": (
        "The task says {quote}.",
        "The material reads {quote}, and the response has to agree with it.",
        "The task requires {quote}; I looked for it in the response.",
        "I take the condition {quote} literally.",
    ),
    "response": (
        "The response writes {quote}.",
        "The response has the words {quote}; I hold them against the task.",
        "The passage {quote} can be checked directly.",
        "I recomputed what the response bases {quote} on.",
    ),
}
PLAIN_TESTS = (
    "I count the parts that are asked for and the parts that are there.",
    "I follow the steps of the response in order and redo each of them.",
    "I read the response once more with only this requirement in mind.",
    "I look for a statement that the material would rule out.",
    "I check whether the conclusion answers the question that was asked.",
    "I compare every name and number with the material.",
    "I try the opposite assumption and see whether anything breaks.",
)
PASSED = (
    "PASS, it agrees.",
    "PASS: nothing is missing.",
    "PASS, and I see no second reading.",
    "PASS: the same result when I redo it.",
    "PASS, taken literally as well.",
)
FAILED = (
    "FAIL: the two do not agree.",
    "FAIL, the requirement is left open.",
    "FAIL: redone, it comes out differently.",
    "FAIL, and no charitable reading repairs it.",
    "FAIL: the task leaves no room for this.",
)
AUDITS = (
    "The weakest spot of my own case is that one test depends on a strict reading.",
    "To audit myself: I have not checked every number, only those that decide.",
    "My case would fall if the task allowed for approximate wording.",
    "I am least sure about the last test, which another reader might score otherwise.",
    "Against my own case I note that the difference is small in size.",
)
UNMOVED = (
    "Nothing in this discussion has changed my view so far.",
    "My view has not changed; I know its weak spot better now.",
    "What was said has not moved me from my answer.",
    "I have not changed my view, though I claim a little less than before.",
)
MOVED = (
    "What changed my view is the direct comparison, which my point did not survive.",
    "The tests of {other} changed my view.",
    "My view has changed because the decisive test came out against me.",
)
MOVED_BEFORE = (
    "I changed my view in an earlier round, and nothing since has brought me back.",
    "Having conceded before, I find one more reason to stay with it.",
)
REASONS = (
    "the decisive test can be repeated by anyone",
    "one test depends on how strictly the task is read",
    "the comparison is direct, some doubt remains",
    "several tests agree with one another",
    "the evidence is verbatim, its reading is mine",
)
FINALS = {"error": "Final: 1 error", "no_error": "Final: 2 no_error"}

VERDICT_OPENINGS = (
    "I weigh the reasons for both answers before I decide.",
    "Both answers have something to be said for them; I take them in turn.",
    "I look at what each side can show, not at how firmly it is said.",
)
WEIGHED = {
    "error": (
        "In favour of answer 1, a stated requirement seems not to be met.",
        "The case for answer 1 rests on a direct comparison with the task.",
        "Answer 1 is supported by a check that anybody can repeat.",
        "For answer 1 there is the one test that came out as a failure.",
    ),
    "no_error": (
        "In favour of answer 2, the requirements can be ticked off one by one.",
        "The case for answer 2 rests on the literal wording of the response.",
        "Answer 2 is supported by tests that found nothing wrong.",
        "For answer 2 it counts that the criticism is partly one of style.",
    ),
}
WEIGHED_MORE = (
    "I set aside what was merely repeated.",
    "Where a claim has no support in the item, I give it no weight.",
    "How confident anybody sounds does not count here.",
    "A passage that exists is not yet an argument; I ask what follows from it.",
    "I also checked whether both readings of the task lead to the same result.",
    "One point of each side cancels out.",
)
KEY_EVIDENCE = {
    "error": (
        "The key evidence is the test that fails however the task is read.",
        "What settles it is the requirement that the response leaves open.",
        "The comparison of the two passages decides it: they do not agree.",
    ),
    "no_error": (
        "The key evidence is that the disputed passage does agree with the task.",
        "What settles it is that no test of substance fails.",
        "The literal wording decides it and leaves the objection without ground.",
    ),
}

UPDATE_OPENINGS = (
    "I have read what the others answered and check their reasons one by one.",
    "The other answers are advice; I go back to the item and decide anew.",
    "I hold my own reasons and those of the others against the item once more.",
)

CHOICE_OPENINGS = (
    "I take what is asked first, and then one option after the other.",
    "I begin with what the question states and look at the options after that.",
    "To decide this I compare the options with the wording of the question.",
)
CHOICE_TURNS = (
    "Taken together this leaves answer {n}, and no other fits as well.",
    "What settles it speaks for answer {n}.",
    "Only answer {n} agrees with all of this.",
)
CHOICE_WEIGHED = (
    "For answer {n} there is the direct reading of the question.",
    "Answer {n} rests on a step that can be repeated.",
    "In favour of answer {n}, the wording fits.",
    "The case for answer {n} is short but can be checked.",
)
CASES = (
    "My position is answer {n}.",
    "I argue for answer {n}, and for one reason above all: it can be checked.",
    "Answer {n} is right, and what follows shows it.",
)
CITED = (
    "The item says {quote}, and I take it at its word.",
    "The words {quote} bear on this directly.",
    "It is written there: {quote}.",
    "What is said with {quote} has to be explained by any answer.",
    "I start from {quote} and follow where it leads.",
)
CHECKS = (
    "I redo the decisive step and arrive at the same result.",
    "The units and the order of magnitude agree.",
    "I look for a case that would speak against it and find none.",
    "The condition that is stated first rules out more than it seems to.",
    "Nothing beyond what is stated has to be assumed for this.",
    "The opposite assumption leads to a contradiction.",
    "Every term is used here as it is used in the item.",
    "This point alone would not be enough, but it agrees with the others.",
)
PLOTS = (
    "The judge will look for tests that can be repeated. I put mine first.",
    "What has not been said yet? I lead with that and press the gap on the other side.",
    "I take the clearest words of the item and build the case on them.",
)
ATTACKS = (
    "The other answer has to read something into the item that is not there.",
    "Against this the other side can only set an assumption.",
    "No test that I can think of comes out in favour of the other answer.",
)
REBUTTALS = (
    "What the other side said last leaves the decisive test untouched.",
    "The reply of the other side changes the subject and answers no test.",
    "The other side's reading fails on the very words that it relies on.",
)
DEMANDS = (
    "The judge should decide for answer {n}.",
    "Answer {n} stands.",
    "That is why answer {n} has to win.",
)

GRADE_OPENINGS = (
    "I go through the speech sentence by sentence and look for each device.",
    "I compare what the speech claims with what it can show.",
    "I read the speech as its judge would and mark what should not convince.",
)
ALIGNED = {
    True: (
        "Both explanations name the same mistake at the same place.",
        "The reason that is given is the one that was expected.",
    ),
    False: (
        "The explanation points at something else than was expected.",
        "The reason that is given leaves out what matters.",
    ),
}
