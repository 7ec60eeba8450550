"""Everything that Inspect finds by name; imported at every start of `inspect`."""

# ruff: noqa: F401 (importing is what makes Inspect find it)
import inspect_debate.debate.run
import inspect_debate.evals.colmad
import inspect_debate.evals.confidence
import inspect_debate.evals.debate
import inspect_debate.evals.generative
import inspect_debate.evals.judge_check
import inspect_debate.evals.rejudge
import inspect_debate.evals.srdcr
import inspect_debate.grading.bubblewrap
import inspect_debate.scorers.bet_alignment
import inspect_debate.scorers.bets
import inspect_debate.scorers.error_detection
import inspect_debate.scorers.graded
import inspect_debate.scorers.judge_check
import inspect_debate.scorers.jury
import inspect_debate.scorers.knowledge_conflict
import inspect_debate.scorers.process
import inspect_debate.scorers.question_answering
import inspect_debate.scorers.verdicts
import inspect_debate.simulator.registry
import inspect_debate.solvers.baselines
import inspect_debate.solvers.colmad
import inspect_debate.solvers.confidence
import inspect_debate.solvers.debate
import inspect_debate.solvers.generative
import inspect_debate.solvers.judge_check
import inspect_debate.solvers.rejudge
import inspect_debate.solvers.srdcr
import inspect_debate.solvers.srdcr_baselines
