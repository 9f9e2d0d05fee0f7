import assert from "node:assert/strict"
import { setTimeout as sleep } from "node:timers/promises"

const patienceMs = 15_000
const pauseMs = 50

/** Waits for what happens in other processes in its own time; fails with `otherwise` after a quarter of a minute unless told. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  otherwise: string,
  withinMs = patienceMs,
): Promise<void> {
  for (let n = 0; n < withinMs / pauseMs; n++) {
    if (await holds()) return
    await sleep(pauseMs)
  }
  assert.fail(otherwise)
}
