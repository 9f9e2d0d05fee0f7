import assert from "node:assert/strict"
import { setTimeout as sleep } from "node:timers/promises"

const timeoutMs = 15_000
const pauseMs = 50

/** Polls a condition that other processes make true; fails with `otherwise` after 15 seconds by default. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  otherwise: string,
  withinMs = timeoutMs,
): Promise<void> {
  for (let n = 0; n < withinMs / pauseMs; n++) {
    if (await holds()) return
    await sleep(pauseMs)
  }
  assert.fail(otherwise)
}
