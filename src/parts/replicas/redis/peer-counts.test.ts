import assert from "node:assert/strict"
import { test } from "node:test"
import { PeerCounts } from "./peer-counts.ts"

const at = 1_800_000_000_000

function peersOf(runId: string, dataId: string): PeerCounts {
  const peers = new PeerCounts(runId)
  peers.useData(dataId)
  return peers
}

const countsOf = (peers: PeerCounts) =>
  peers.all().map(({ runId, accountId, cells }) => [runId, accountId, cells.reduce((sum, { count }) => sum + count, 0)])

test("a replica learns once what another admitted", () => {
  const [one, other] = [peersOf("one", "data"), peersOf("other", "data")]
  for (let n = 0; n < 3; n++) one.note(7, at + n)
  other.receive(one.takeMessage() ?? "")
  assert.equal(one.takeMessage(), undefined)
  one.note(7, at + 10)
  one.note(8, at + 10)
  const message = one.takeMessage() ?? ""
  other.receive(message)
  one.receive(message)
  assert.deepEqual(countsOf(other).toSorted(), [
    ["one", 7, 4],
    ["one", 8, 1],
  ])
  assert.deepEqual(countsOf(one), [])
})

test("requests that are counted in other data are not those of this one", () => {
  const [one, other] = [peersOf("one", "new data"), peersOf("other", "lost data")]
  one.note(7, at)
  other.receive(one.takeMessage() ?? "")
  assert.deepEqual(countsOf(other), [])
})

test("a clock that is set back leaves the counts in order", () => {
  const [one, other] = [peersOf("one", "data"), peersOf("other", "data")]
  for (const moment of [at, at - 3_600_000]) {
    one.note(7, moment)
    other.receive(one.takeMessage() ?? "")
  }
  assert.deepEqual(countsOf(other), [["one", 7, 2]])
})

test("what others publish on the channel is no request", () => {
  const peers = peersOf("one", "data")
  const texts = [
    "",
    "{",
    "null",
    "[]",
    '{"from":"x","dataId":"data"}',
    '{"from":"x","dataId":"data","admitted":[[1,"2",3]]}',
  ]
  for (const text of texts) peers.receive(text)
  assert.deepEqual(peers.all(), [])
})
