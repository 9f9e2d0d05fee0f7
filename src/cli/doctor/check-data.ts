import type { AdminAnswer } from "../../domain/admin/contract.ts"
import { CannotStart } from "../../kernel/cannot-start.ts"
import type { World } from "../command.ts"
import type { Finding } from "./check-machine.ts"

/** More than a service that keeps up has at once. */
const dueMax = 1000
const orphansMax = 100

const seeHandbook = 'See "Damaged and missing files" in docs/operations.md'

/** What the service that runs on this machine's files says of them; while it is stopped, what is found in them. */
export async function checkData({ askRunning, inspectStopped }: World): Promise<Finding[]> {
  const running = await askRunning({ action: "inspect" })
  if (running !== undefined) return runningFindings(running)
  try {
    const found = await inspectStopped()
    return found === undefined ? [] : stoppedFindings(found)
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error
    return [{ about: "database", found: error.message, advice: seeHandbook }]
  }
}

function runningFindings(inside: AdminAnswer): Finding[] {
  if (inside.error !== undefined)
    return [{ about: "schema", found: String(inside.error), advice: "See the service's log" }]
  const { schema, due = 0 } = inside
  return [
    { about: "schema", found: `version ${schema}, the newest this program knows` },
    {
      about: "deliveries",
      found: `${due} webhooks have deliveries due`,
      ...(Number(due) >= dueMax && { advice: "Look for slow receivers in the log" }),
    },
    ...imageFindings(inside),
  ]
}

/** Images are left out where they were not looked at, because the database is damaged or of an older version. */
function stoppedFindings(found: AdminAnswer): Finding[] {
  const { schema, newestSchema, damage, key, keyProblem } = found
  const findings: Finding[] = []
  if (damage !== undefined)
    findings.push({
      about: "database",
      found: damage === "none" ? "a quick check finds nothing wrong" : `damaged: ${damage}`,
      ...(damage !== "none" && { advice: seeHandbook }),
    })
  findings.push({
    about: "schema",
    found:
      schema === newestSchema
        ? `version ${schema}, the newest this program knows`
        : `version ${schema}, which the next start brings to ${newestSchema}; images and key are checked after that`,
  })
  if (key !== undefined) findings.push({ about: "sealing key", found: String(key) })
  if (keyProblem !== undefined)
    findings.push({
      about: "sealing key",
      found: String(keyProblem),
      advice: "Put back the key the database was started with",
    })
  if (found.imagesProblem !== undefined)
    findings.push({ about: "images", found: String(found.imagesProblem), advice: seeHandbook })
  return found.images === undefined ? findings : [...findings, ...imageFindings(found)]
}

function imageFindings({ images = 0, orphans = 0, missing = 0, missingKeys = "" }: AdminAnswer): Finding[] {
  const kept: Finding = {
    about: "images",
    found: `${images}, of which ${orphans} belong to no pet`,
    ...(Number(orphans) > orphansMax && { advice: "Is it the right database? See docs/operations.md" }),
  }
  if (Number(missing) === 0) return [kept]
  const others = Number(missing) - String(missingKeys).split(" ").length
  const found = `files of ${missing === 1 ? "an image" : `${missing} images`} are missing: ${missingKeys}${others > 0 ? ` and ${others} more` : ""}`
  return [kept, { about: "image files", found, advice: seeHandbook }]
}
