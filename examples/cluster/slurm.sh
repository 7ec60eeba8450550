#!/bin/bash
#SBATCH --job-name=colmad
#SBATCH --array=1-4
#SBATCH --cpus-per-task=2
#SBATCH --mem=8G
#SBATCH --time=24:00:00
#SBATCH --requeue

# A study in four shards: sbatch --export=ALL examples/cluster/slurm.sh
# The environment has the keys of the models' providers. A task that is submitted again
# (sbatch --array=3 examples/cluster/slurm.sh) goes on where it stopped.

set -euo pipefail
cd "$SLURM_SUBMIT_DIR"
# Shared, so that a task which goes on another node pays for no call twice.
export INSPECT_CACHE_DIR="$PWD/logs/cache"
export INSPECT_DISPLAY=log

uv run --no-sync python configs/colmad.py --shard "$SLURM_ARRAY_TASK_ID/4" \
    --log-dir logs/colmad -T budget_usd=20 -T max_unparsed=0.1 \
    --model-role debater_a=openai/gpt-4o-mini \
    --model-role debater_b=openai/gpt-4.1-mini \
    --model-role judge=openai/gpt-4.1-nano
