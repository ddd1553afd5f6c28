#!/bin/sh
# The job on main. It applies what was reviewed, or nothing: a fresh preview must plan the same as
# reviewed-plan.json, and `pulumi up --plan` refuses whatever that preview did not plan.
# Usage: pipeline/apply.sh STACK
set -eu

pulumi preview --json --show-sames --show-replacement-steps --non-interactive --stack "$1" --save-plan up-plan.json > preview.json
npx --no-install pulumi-edge-policy-cli review preview.json --expect reviewed-plan.json --format text
pulumi up --yes --skip-preview --non-interactive --stack "$1" --plan up-plan.json
