#!/bin/bash
#SBATCH --job-name=slices
#SBATCH --array=0-3
#SBATCH --cpus-per-task=2
#SBATCH --mem=8G
#SBATCH --time=24:00:00
#SBATCH --requeue

# Runs a task in slices of SIZE samples, one for each number of the array:
#
#   sbatch --array=0-3 examples/cluster/slurm.sh LOGS SIZE TASK [OPTIONS]
#
# LOGS is a folder that all nodes share, or s3://bucket/folder; TASK and OPTIONS are those
# of `inspect eval-set`. Submit from the checkout with its environment active and the
# providers' keys set. A slice that is submitted again goes on where it stopped.

set -euo pipefail
logs=$1 size=$2
shift 2
first=$((SLURM_ARRAY_TASK_ID * size + 1))
slice="$first-$((first + size - 1))"
exec inspect eval-set "$@" --limit "$slice" --log-dir "$logs/$slice" --display log
