import { type OwnCommand, one, type Paint, type World } from "../../../cli/command/command.ts"
import { describeLimit } from "../../../cli/output/describe-limit.ts"
import { explainConnection } from "../../../cli/output/failure.ts"
import { printResult } from "../../../cli/output/result.ts"
import { Refused } from "../../../client/client.ts"
import { checkReadiness } from "../../../client/readiness.ts"
import { visible } from "../../../core/kernel/visible.ts"
import { command } from "../../../program.ts"
import { type Finding, type Repair, recordNouns } from "../contract.ts"
import { checkData, checkDataDirectory } from "./check-data.ts"
import { checkClock, checkPermissions } from "./check-machine.ts"
import { openMaintenanceHere } from "./machine.ts"

export const doctor: OwnCommand = {
  name: "doctor",
  summary: "Check the service and its environment, and report problems",
  description:
    "Changes nothing without --repair. Exits with 1 when it finds a problem. Checks the image files of the service on this machine and, while the " +
    "service is stopped, also the integrity of the database, its schema, the hashes of its records, and the sealing key.",
  flags: [
    {
      name: "repair",
      value: "BACKUPS",
      meaning:
        "While the service is stopped, restore records that do not match their hashes from this backup, or from the newest in this " +
        "directory that has the same version of the record intact",
    },
  ],

  async run(input, world) {
    const source = one(input, "repair")
    const repairs = source === undefined ? [] : describeRepair(await (await openMaintenanceHere(world)).repair(source))
    const findings = [...repairs, checkRuntime(), await checkService(world)]
    if (findings.at(-1)?.advice === undefined) findings.push(...(await checkCredential(world)))
    if (world.service.isLocal) findings.push(...(await checkMachine(world)))
    printResult(world, findings, findings.map(formatFinding(world.terminal.paint.out)).join(""))
    return findings.some(({ advice }) => advice !== undefined) ? 1 : 0
  },
}

const describeRepair = ({ repaired, left, unreadable }: Repair): Finding[] => [
  ...repaired.map(({ kind, id, from }) => ({
    about: "repair",
    found: `${recordNouns[kind].one} ${id} is restored from the backup of ${from}`,
  })),
  ...left.map(({ kind, id }) => ({
    about: "repair",
    found: `no backup has ${recordNouns[kind].one} ${id} as it was stored last`,
    advice: 'See "Damaged and missing files" in docs/backup.md',
  })),
  ...unreadable.map(({ backup, reason }) => ({
    about: "repair",
    found: `the backup ${backup} cannot be read: ${reason}`,
    advice: `Compare it with its hashes: ${command} backup verify ${backup}`,
  })),
  ...(repaired.length + left.length === 0 ? [{ about: "repair", found: "no record is damaged" }] : []),
]

async function checkMachine(world: World): Promise<Finding[]> {
  const data = await checkDataDirectory(world)
  if (!data.isUsable) return [data.finding]
  return [data.finding, ...(await checkPermissions(world)), ...(await checkData(world))]
}

const formatFinding =
  (paint: Paint) =>
  ({ about, found, advice }: Finding): string =>
    advice === undefined
      ? `${paint("green", "ok")}       ${about}: ${visible(found)}\n`
      : `${paint("red", "problem")}  ${about}: ${visible(found)}\n         → ${advice}\n`

function checkRuntime(): Finding {
  const { node, sqlite } = process.versions
  const about = "runtime"
  if (sqlite !== undefined) return { about, found: `Node ${node} with SQLite ${sqlite}` }
  return { about, found: `Node ${node} without SQLite`, advice: "Start it as ./petstore, which includes a runtime" }
}

async function checkService({ service }: World): Promise<Finding> {
  const about = "service"
  try {
    const { isReady, reason } = await checkReadiness(service.url)
    if (isReady) return { about, found: `${service.url} is ready` }
    const found = `${service.url} is not ready: ${reason}`
    return { about, found, advice: "Check the service's log, and that it is a Petstore" }
  } catch (error) {
    const found = explainConnection(error, service) ?? String(error)
    const advice = `Start it with ${command} serve, or name another service with --url or PETSTORE_URL`
    return { about, found, advice }
  }
}

async function checkCredential(world: World): Promise<Finding[]> {
  const about = "key"
  const { service } = world
  try {
    const { value, headers } = await service.client.getOwnAccount()
    const limits = value.limits.map(describeLimit)
    return [
      ...checkClock(headers.get("date"), world),
      { about, found: `${service.credential.from}, of account ${value.id} (${value.name})` },
      { about: "scopes", found: value.scopes.join(" ") },
      { about: "plan", found: [value.plan, ...limits].join(", ") },
    ]
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const advice =
      service.credential.kind === "login"
        ? `Log in again: ${command} login`
        : `Set PETSTORE_API_KEY (${command} keys create creates a key), or run ${command} login`
    return [{ about, found: `${service.credential.from}: ${error.problem.detail}`, advice }]
  }
}
