#!/bin/sh
# The job of the pull request. It says what the change means and records what was reviewed: keep
# reviewed-plan.json as an artifact for the job that applies. Its exit code is the gate.
# Usage: pipeline/review.sh STACK
set -u

# A preview that failed is reviewed, too: the review says so.
pulumi preview --json --show-sames --show-replacement-steps --non-interactive --stack "$1" > preview.json
npx --no-install pulumi-edge-policy-cli review preview.json --write plan=reviewed-plan.json --format text
