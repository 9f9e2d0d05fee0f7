import assert from "node:assert/strict"
import { hash } from "node:crypto"
import { test } from "node:test"
import type { Send } from "../../src/client/client.ts"
import { type AuditEntry, hashedText } from "../../src/core/domain/audit/contract.ts"
import { petstoreCommand } from "../harness/command-line.ts"
import { recordTerminal } from "../harness/terminal.ts"

const url = "http://127.0.0.1:8080"
const start = "0".repeat(64)
const digestOf = (entry: AuditEntry) => hash("sha256", hashedText(entry))

/** A log from the entry with this id on, newest first; `change` changes an entry before it is hashed. */
function logOf(count: number, { from = 1, previous = start, change = (entry: AuditEntry): AuditEntry => entry } = {}) {
  const log: AuditEntry[] = []
  for (let id = from; id < from + count; id++) {
    const entry = change({
      id,
      time: `2026-01-01T00:00:${String(id).padStart(2, "0")}Z`,
      action: "key.created",
      result: "done",
      account: 1,
      principal: "key 1",
      thing: `key ${id}`,
      details: {},
      requestId: "r",
      previous: log[0]?.hash ?? previous,
      hash: "",
    })
    log.unshift({ ...entry, hash: digestOf(entry) })
  }
  return log
}

/** Verifies a log of pages with two entries. */
async function verify(log: readonly AuditEntry[], flags: string[] = [], isTerminal = false) {
  const sent: string[] = []
  const send: Send = async (address) => {
    sent.push(address.slice(`${url}/api/v3`.length))
    const at = Number(new URL(address).searchParams.get("cursor") ?? 0)
    const link = at + 2 < log.length ? { link: `<?cursor=${at + 2}>; rel="next"` } : undefined
    return Response.json(log.slice(at, at + 2), { ...(link && { headers: link }) })
  }
  const { terminal, written } = recordTerminal({ isTerminal })
  const { code } = await petstoreCommand(url, ["audit", "verify", ...flags], { fetch: send, terminal })
  return { code, ...written, sent }
}

test("an unchanged log passes, with its newest entry, also one whose start was removed by retention", async () => {
  const log = logOf(3)
  assert.deepEqual(await verify(log), {
    code: 0,
    out: `3 entries are unchanged. The newest is 3 ${log[0]?.hash}\n`,
    err: "",
    sent: ["/audit?limit=1000", "/audit?limit=1000&cursor=2"],
  })
  const one = logOf(1)
  assert.equal((await verify(one, [], true)).err, "\r\u001b[K1 entries\n")
  assert.equal((await verify(one)).out, `1 entry is unchanged. The newest is 1 ${one[0]?.hash}\n`)
  assert.equal(
    (await verify(log, ["--json"])).out,
    `${JSON.stringify({ ok: true, entries: 3, newest: 3, hash: log[0]?.hash })}\n`,
  )
  for (const { hash: known } of log) assert.equal((await verify(log, ["--known", known])).code, 0)

  const pruned = (id: number, through: number, removed: string) => (entry: AuditEntry) =>
    entry.id === id ? { ...entry, action: "audit.pruned" as const, details: { through, hash: removed } } : entry
  const removed = "a".repeat(64)
  const late = (change: (entry: AuditEntry) => AuditEntry) => logOf(4, { from: 8, previous: removed, change })
  assert.equal((await verify(late(pruned(10, 7, removed)))).code, 0)
  const both = (entry: AuditEntry) => pruned(10, 7, removed)(pruned(9, 3, start)(entry))
  assert.equal((await verify(late(both))).code, 0)
  for (const [through, last] of [
    [6, removed],
    [7, start],
  ] as const)
    assert.deepEqual(await verify(late(pruned(10, through, last))).then(({ code, err }) => [code, err]), [
      1,
      `Entries before 8 were removed, and not by retention, which removed those up to ${through}.\n`,
    ])
  assert.match((await verify(late((entry) => entry))).err, /removed those up to 0\.\n$/)
})

test("entries that were changed, removed or replaced are reported, the newest first", async () => {
  const faultOf = async (log: AuditEntry[], ...flags: string[]) => {
    const { code, out, err, sent } = await verify(log, flags)
    assert.deepEqual([code, out], [1, ""])
    return [err, sent.length]
  }
  const changed = (log: AuditEntry[], id: number) =>
    log.map((entry) => (entry.id === id ? { ...entry, thing: "key 99" } : entry))
  const at = (id: number) => `2026-01-01T00:00:0${id}Z`
  assert.deepEqual(await faultOf(changed(logOf(5), 4)), [
    `Entry 4 of ${at(4)} was changed: its hash does not match its content.\n`,
    1,
  ])
  assert.deepEqual(await faultOf(changed(changed(logOf(5), 1), 3)), [
    `Entry 3 of ${at(3)} was changed: its hash does not match its content.\n`,
    2,
  ])
  const gap = logOf(5).filter(({ id }) => id !== 3 && id !== 4)
  assert.deepEqual(await faultOf(gap), [`2 entries between 2 of ${at(2)} and 5 of ${at(5)} were removed.\n`, 1])
  const replaced = logOf(3).map((entry) => {
    const other = { ...entry, thing: "key 99" }
    return entry.id === 2 ? { ...other, hash: digestOf(other) } : entry
  })
  assert.deepEqual(await faultOf(replaced), [
    `Entry 2 of ${at(2)} was replaced: entry 3 refers to a different one.\n`,
    1,
  ])
  const unknown = "f".repeat(64)
  assert.deepEqual(await faultOf(logOf(2), "--known", unknown), [
    `No entry has the hash ${unknown}: the log was rewritten, or the entry's retention has expired.\n`,
    1,
  ])
  assert.match(String((await faultOf(changed(logOf(2), 1), "--known", unknown))[0]), /^Entry 1 /)
  const asJson = await verify(changed(logOf(2), 1), ["--json"])
  assert.deepEqual(
    [asJson.code, asJson.err, JSON.parse(asJson.out).ok, JSON.parse(asJson.out).fault],
    [1, "", false, `Entry 1 of ${at(1)} was changed: its hash does not match its content.`],
  )
})

test("a known hash has 64 hexadecimal digits", async () => {
  for (const [known, quoted] of [
    ["", "empty"],
    ["f".repeat(63), `"${"f".repeat(63)}"`],
    ["f".repeat(65), `"${"f".repeat(65)}"`],
    ["F".repeat(64), `"${"F".repeat(64)}"`],
  ] as const)
    assert.deepEqual(await verify(logOf(1), [`--known=${known}`]), {
      code: 2,
      out: "",
      err: `petstore: --known must be a hash of 64 hexadecimal digits as printed by this command, not ${quoted}. Omit --known on the first run\n`,
      sent: [],
    })
})
