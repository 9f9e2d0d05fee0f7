import assert from "node:assert/strict"
import { test } from "node:test"
import { cutInHalf, inPieces } from "./broken-bytes.ts"

/** What happens in order: pieces by their length, pauses in ms. */
async function stepsOf(make: (pause: (ms: number) => Promise<void>) => AsyncIterable<Uint8Array>) {
  const steps: string[] = []
  const pieces = make(async (ms) => void steps.push(`${ms} ms`))
  try {
    for await (const piece of pieces) steps.push(`${Buffer.from(piece)}`)
  } catch (error) {
    steps.push((error as NodeJS.ErrnoException).code ?? "")
  }
  return steps
}

test("bytes come in ten pieces over three seconds", async () => {
  const steps = await stepsOf((pause) => inPieces(Buffer.from("0123456789abcdefghij"), pause))
  const pairs = ["01", "23", "45", "67", "89", "ab", "cd", "ef", "gh", "ij"]
  assert.deepEqual(
    steps,
    pairs.flatMap((pair, n) => (n === 0 ? [pair] : ["300 ms", pair])),
  )
  assert.deepEqual(await stepsOf((pause) => inPieces(Buffer.from("abc"), pause)), ["a", "300 ms", "b", "300 ms", "c"])
  assert.equal((await stepsOf((pause) => inPieces(Buffer.alloc(11), pause))).length, 11)
})

test("the second half is withheld like that of a closed connection", async () => {
  let starts = 0
  const steps = await stepsOf((pause) => cutInHalf(Buffer.from("abcd"), pause, () => starts++))
  assert.deepEqual([steps, starts], [["ab", "50 ms", "ECONNRESET"], 1])
})
