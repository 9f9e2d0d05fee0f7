import assert from "node:assert/strict"
import { describe, test } from "node:test"
import type { Invalidation, Signal } from "../../../src/core/domain/ports/signals.ts"
import { recording, testCompleteness } from "../recording.ts"

/** The requirements for everything that carries signals. `open` returns one without listeners. */
export function signalsConformance(adapter: string, open: () => Promise<Invalidation>): void {
  describe(`${adapter} carrying signals`, () => {
    const recorded = recording()
    const opened = async () => recorded.watch(await open())
    const signal = (accountId: number): Signal => ({ kind: "credentials-changed", accountId })

    test("every listener has received a signal before its announcement resolves, in the order of announcements", async () => {
      const signals = await opened()
      const heard: [string, number][] = []
      for (const name of ["one", "two"]) signals.listen(({ accountId }) => void heard.push([name, accountId]))
      await signals.announce(signal(1))
      assert.deepEqual(heard.toSorted(), [
        ["one", 1],
        ["two", 1],
      ])
      await signals.announce(signal(2))
      assert.deepEqual(
        heard.filter(([name]) => name === "one").map(([, accountId]) => accountId),
        [1, 2],
      )
    })

    test("a listener that stopped receives no more signals, the others do", async () => {
      const signals = await opened()
      const heard: string[] = []
      const stop = signals.listen(() => void heard.push("stopped"))
      signals.listen(() => void heard.push("listening"))
      stop()
      stop()
      await signals.announce(signal(3))
      assert.deepEqual(heard, ["listening"])
    })

    test("an announcement without listeners resolves", async () => {
      const signals = await opened()
      await signals.announce(signal(4))
    })

    testCompleteness(recorded)
  })
}
