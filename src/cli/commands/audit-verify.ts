import { createHash } from "node:crypto"
import { allPages } from "../../client/pages.ts"
import { type AuditEntry, hashedText } from "../../domain/audit/contract.ts"
import { pageLimitMax } from "../../kernel/page.ts"
import { type OwnCommand, one, UsageError, type World } from "../command.ts"
import { answer } from "../output/answer.ts"

const beginning = { through: 0, hash: "0".repeat(64) }

export const auditVerify: OwnCommand = {
  name: "audit verify",
  summary: "Check that no entry of the audit log was changed or removed",
  description:
    "Reads the whole log, newest first, and computes every hash here. Exits with 1 at the first entry that is not what the " +
    "one after it says. Keep the last line somewhere else: with --known, a log that was written anew does not pass either.",
  flags: [{ name: "known", value: "HASH", meaning: "A hash printed earlier; it must still be in the log" }],

  async run(given, world) {
    const report = await verifyLog(hashOf(one(given, "known")), world)
    const { fault, entries, newest, hash } = report
    if (fault !== undefined && !world.json) world.terminal.err(`${fault}\n`)
    else answer(world, report, `${entries} entries are as they were written. The newest is ${newest} ${hash}\n`)
    return fault === undefined ? 0 : 1
  },
}

/** An empty file, or none, is no reason to accuse anybody. */
function hashOf(known: string | undefined): string | undefined {
  if (known === undefined || /^[0-9a-f]{64}$/.test(known)) return known
  const given = known === "" ? "nothing" : JSON.stringify(known)
  throw new UsageError(
    `--known needs a hash of 64 hexadecimal digits, as this command prints, and was given ${given}. The first time run it without --known`,
  )
}

/** Follows the entries from the newest to the oldest, to the end or the first fault. */
async function verifyLog(known: string | undefined, { service, terminal }: World) {
  let newest: AuditEntry | undefined
  let later: AuditEntry | undefined
  let pruned: typeof beginning | undefined
  let entries = 0
  let fault: string | undefined
  let isKnown = known === undefined
  for await (const page of allPages(service.client.listAudit, { query: { limit: pageLimitMax } })) {
    for (const entry of page) {
      newest ??= entry
      fault ??= faultOf(entry, later)
      if (entry.action === "audit.pruned") pruned ??= entry.details as typeof beginning
      isKnown ||= entry.hash === known
      later = entry
    }
    entries += page.length
    if (terminal.isTerminal) terminal.err(`\r${entries.toLocaleString("en")} entries`)
    if (fault !== undefined) break
  }
  if (terminal.isTerminal) terminal.err("\n")
  fault ??= later && faultOfFirst(later, pruned ?? beginning)
  if (!isKnown)
    fault ??= `No entry has the hash ${known}: the log was written anew, or that entry is past its retention.`
  return { ok: fault === undefined, entries, newest: newest?.id, hash: newest?.hash, ...(fault && { fault }) }
}

/** What is missing before the first entry there is, when retention removed those up to another one. */
const faultOfFirst = ({ id, previous }: AuditEntry, { through, hash }: typeof beginning): string | undefined =>
  id === through + 1 && previous === hash
    ? undefined
    : `Entries before ${id} were removed, other than by retention, which removed those up to ${through}.`

function faultOf(entry: AuditEntry, later: AuditEntry | undefined): string | undefined {
  const { id, time, hash } = entry
  if (createHash("sha256").update(hashedText(entry)).digest("hex") !== hash)
    return `Entry ${id} of ${time} was changed: its hash is that of something else.`
  if (later === undefined) return undefined
  if (later.id !== id + 1)
    return `${later.id - id - 1} entries between ${id} of ${time} and ${later.id} of ${later.time} were removed.`
  if (later.previous !== hash)
    return `Entry ${id} of ${time} was replaced: entry ${later.id} was written after another one.`
  return undefined
}
