import { createHash } from "node:crypto"
import { allPages } from "../../client/pages.ts"
import { type AuditEntry, hashedText } from "../../domain/audit/contract.ts"
import { pageLimitMax } from "../../kernel/page.ts"
import { type Command, one, UsageError } from "../command.ts"

const beginning = { through: 0, hash: "0".repeat(64) }

export const auditVerify: Command = {
  name: "audit verify",
  summary: "Check that no entry of the audit log was changed or removed",
  description:
    "Reads the whole log, newest first, and computes every hash here. Exits with 1 at the first entry that is not what the " +
    "one after it says. Keep the last line somewhere else: with --known, a log that was written anew does not pass either.",
  arguments: [],
  flags: [{ name: "known", value: "HASH", meaning: "A hash printed earlier; it must still be in the log" }],

  async run(given, { service, terminal, json }) {
    const walk = createWalk(hashOf(one(given, "known")))
    for await (const page of allPages(service.client.listAudit, { query: { limit: pageLimitMax } })) {
      for (const entry of page) walk.take(entry)
      if (terminal.isTerminal) terminal.err(`\r${walk.count().toLocaleString("en")} entries`)
      if (walk.fault() !== undefined) break
    }
    if (terminal.isTerminal) terminal.err("\n")
    const fault = walk.fault() ?? walk.faultAtEnd()
    const report = { ok: fault === undefined, entries: walk.count(), ...walk.head(), ...(fault && { fault }) }
    if (json) terminal.out(`${JSON.stringify(report)}\n`)
    else if (fault === undefined)
      terminal.out(
        `${report.entries} entries are as they were written. The newest is ${report.newest} ${report.hash}\n`,
      )
    else terminal.err(`${fault}\n`)
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

/** Follows the entries from the newest to the oldest. */
function createWalk(known: string | undefined) {
  let newest: AuditEntry | undefined
  let later: AuditEntry | undefined
  let pruned: { through: number; hash: string } | undefined
  let count = 0
  let fault: string | undefined
  let isKnown = known === undefined

  return {
    take(entry: AuditEntry): void {
      newest ??= entry
      fault ??= faultOf(entry, later)
      if (entry.action === "audit.pruned") pruned ??= entry.details as typeof pruned
      isKnown ||= entry.hash === known
      later = entry
      count++
    },
    fault: () => fault,
    /** What is missing once there are no more entries. */
    faultAtEnd(): string | undefined {
      const { through, hash } = pruned ?? beginning
      if (later && (later.id !== through + 1 || later.previous !== hash))
        return `Entries before ${later.id} were removed, other than by retention, which removed those up to ${through}.`
      if (!isKnown)
        return `No entry has the hash ${known}: the log was written anew, or that entry is past its retention.`
      return undefined
    },
    count: () => count,
    head: () => ({ newest: newest?.id, hash: newest?.hash }),
  }
}

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
