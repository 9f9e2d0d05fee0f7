import assert from "node:assert/strict"
import { setTimeout as sleep } from "node:timers/promises"

/** What takes a second elsewhere may take twenty on a busy machine. */
const timeoutMs = 60_000
const pauseMs = 50

/** Polls a condition that other processes make true; fails with `otherwise` after a minute by default. */
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
