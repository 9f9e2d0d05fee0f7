import { createHash } from "node:crypto"
import { allPages } from "../../client/pages.ts"
import { type AuditEntry, hashedText } from "../../core/domain/audit/contract.ts"
import { pageLimitMax } from "../../core/kernel/endpoint/page.ts"
import { type OwnCommand, one, UsageError, type World } from "../command/command.ts"
import { printResult } from "../output/result.ts"

const logStart = { through: 0, hash: "0".repeat(64) }

export const auditVerify: OwnCommand = {
  name: "audit verify",
  summary: "Verify that no entry of the audit log was changed or removed",
  description:
    "Reads the whole log, newest first, and recomputes every hash. Exits with 1 at the first entry that does not match its " +
    "hash or its successor. Store the printed hash in another place: --known also detects a log that was rewritten as a whole.",
  flags: [
    { name: "known", value: "HASH", meaning: "A hash printed by an earlier run, which must still be in the log" },
  ],

  async run(input, world) {
    const report = await verifyLog(hashOf(one(input, "known")), world)
    const { fault, entries, newest, hash } = report
    if (fault !== undefined && !world.json) world.terminal.err(`${fault}\n`)
    else
      printResult(
        world,
        report,
        `${entries === 1 ? "1 entry is" : `${entries} entries are`} unchanged. The newest is ${newest} ${hash}\n`,
      )
    return fault === undefined ? 0 : 1
  },
}

/** Rejects an empty or malformed hash, which would look like a manipulated log. */
function hashOf(known: string | undefined): string | undefined {
  if (known === undefined || /^[0-9a-f]{64}$/.test(known)) return known
  const quoted = known === "" ? "empty" : JSON.stringify(known)
  throw new UsageError(
    `--known must be a hash of 64 hexadecimal digits as printed by this command, not ${quoted}. Omit --known on the first run`,
  )
}

/** Checks the entries from the newest to the oldest and stops at the first fault. */
async function verifyLog(known: string | undefined, { service, terminal }: World) {
  let newest: AuditEntry | undefined
  let later: AuditEntry | undefined
  let pruned: typeof logStart | undefined
  let entries = 0
  let fault: string | undefined
  let isKnown = known === undefined
  for await (const page of allPages(service.client.listAudit, { query: { limit: pageLimitMax } })) {
    for (const entry of page) {
      newest ??= entry
      fault ??= faultOf(entry, later)
      if (entry.action === "audit.pruned") pruned ??= entry.details as typeof logStart
      isKnown ||= entry.hash === known
      later = entry
    }
    entries += page.length
    if (terminal.isTerminal) terminal.redraw(`${entries.toLocaleString("en")} entries`)
    if (fault !== undefined) break
  }
  if (terminal.isTerminal) terminal.err("\n")
  fault ??= later && faultOfFirst(later, pruned ?? logStart)
  if (!isKnown) fault ??= `No entry has the hash ${known}: the log was rewritten, or the entry's retention has expired.`
  return { ok: fault === undefined, entries, newest: newest?.id, hash: newest?.hash, ...(fault && { fault }) }
}

/** Checks that the oldest entry follows the last one that retention removed. */
const faultOfFirst = ({ id, previous }: AuditEntry, { through, hash }: typeof logStart): string | undefined =>
  id === through + 1 && previous === hash
    ? undefined
    : `Entries before ${id} were removed, and not by retention, which removed those up to ${through}.`

function faultOf(entry: AuditEntry, later: AuditEntry | undefined): string | undefined {
  const { id, time, hash } = entry
  if (createHash("sha256").update(hashedText(entry)).digest("hex") !== hash)
    return `Entry ${id} of ${time} was changed: its hash does not match its content.`
  if (later === undefined) return undefined
  if (later.id !== id + 1)
    return `${later.id - id - 1} entries between ${id} of ${time} and ${later.id} of ${later.time} were removed.`
  if (later.previous !== hash)
    return `Entry ${id} of ${time} was replaced: entry ${later.id} refers to a different one.`
  return undefined
}
