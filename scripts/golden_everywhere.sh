#!/usr/bin/env bash
# The golden pictures under every build that could change a bit: debug and release, this computer's instruction set and
# the generic one, one host thread and several, with and without the fast engine. Takes a while: each is a build of its own.
set -euo pipefail
cd "$(dirname "$0")/.."

for profile in dev release; do
    for cpu in generic native; do
        for threads in 1 4; do
            echo "== profile $profile, target-cpu=$cpu, $threads host threads"
            RUSTFLAGS="-C target-cpu=$cpu" RAYON_NUM_THREADS=$threads \
                cargo test --profile "$profile" --target-dir "target/golden-$cpu" -p golden_images --test golden
        done
    done
done
echo "== without the fast engine"
cargo test --target-dir target/golden-plain -p golden_images --test golden --no-default-features
echo "the same pixels everywhere"
