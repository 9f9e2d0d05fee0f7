import assert from "node:assert/strict"
import { describe, test } from "node:test"
import type { Invalidation, Signal } from "../../../src/domain/ports/signals.ts"
import { recording, testCompleteness } from "../recording.ts"

/** The required behaviour of everything that transports signals. `open` creates one without listeners. */
export function signalsConformance(adapter: string, open: () => Promise<Invalidation>): void {
  describe(`${adapter} as a transport of signals`, () => {
    const recorded = recording()
    const opened = async () => recorded.watch(await open())
    const signal = (accountId: number): Signal => ({ kind: "credentials-changed", accountId })

    test("every listener receives a signal before its announcement resolves, in the order of announcements", async () => {
      const signals = await opened()
      const received: [string, number][] = []
      for (const name of ["one", "two"]) signals.listen(({ accountId }) => void received.push([name, accountId]))
      await signals.announce(signal(1))
      assert.deepEqual(received.toSorted(), [
        ["one", 1],
        ["two", 1],
      ])
      await signals.announce(signal(2))
      assert.deepEqual(
        received.filter(([name]) => name === "one").map(([, accountId]) => accountId),
        [1, 2],
      )
    })

    test("a listener that has unsubscribed receives nothing more, and the others do", async () => {
      const signals = await opened()
      const received: string[] = []
      const stop = signals.listen(() => void received.push("stopped"))
      signals.listen(() => void received.push("listening"))
      stop()
      stop()
      await signals.announce(signal(3))
      assert.deepEqual(received, ["listening"])
    })

    test("an announcement without listeners resolves", async () => {
      const signals = await opened()
      await signals.announce(signal(4))
    })

    testCompleteness(recorded)
  })
}
