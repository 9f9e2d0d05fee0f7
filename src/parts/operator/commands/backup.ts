import type { OwnCommand } from "../../../cli/command/command.ts"
import { formatNumber } from "../../../cli/output/progress.ts"
import { printResult } from "../../../cli/output/result.ts"
import { counted } from "../../../core/kernel/counted.ts"
import { type Backup, recordNouns } from "../contract.ts"
import { openMaintenanceHere } from "./machine.ts"
import { withStages } from "./stages.ts"

/** Exit code for success with a backup that lacks images or contains damaged records. */
const isImperfect = 3

const namedMax = 20

const settingsNote =
  "Run it as the service's user and with the service's settings; PETSTORE_DATA_DIR is the data directory. "

export const backup: OwnCommand = {
  name: "backup",
  summary: "Back up the service on this machine: database, images and sealing key",
  description:
    `${settingsNote}The service may be running. A target directory must not exist and is created only once the backup is complete; ` +
    "its files.ndjson lists every file with its SHA-256. Images whose files are missing or damaged are skipped and listed, " +
    "also in manifest.json, and the exit code is 3, as with records that do not match their hashes. The sealing key is stored unencrypted, readable by its owner " +
    "only, unless it is a setting (PETSTORE_SECRET_KEY): protect the backup like the data directory.",
  arguments: [{ name: "target", meaning: "A new directory, or s3://BUCKET/PREFIX" }],

  async run({ arguments: { target = "" } }, world) {
    const made = await withStages(world, async (report) => (await openMaintenanceHere(world)).backUp(target, report))
    printResult(
      world,
      made,
      `${target}: ${describeBackup(made)}\n${keyNotes[made.sealingKey]}\n${describeFaults(made)}`,
    )
    return exitCode(made)
  },
}

const keyNotes = {
  stored: "It contains the key to the secrets in the database: protect it like the data directory.",
  "not stored": "It does not contain the key to the secrets in the database: keep PETSTORE_SECRET_KEY, too.",
}

export const verifyBackup: OwnCommand = {
  name: "backup verify",
  summary: "Verify a backup: hashes, database, images and key",
  description:
    "Reads the whole backup and lists its problems. Exits with 1 when there are any, and with 3 when the backup is as it was made but " +
    "lacks images because their files were missing, or has records in its database that do not match their hashes.",
  arguments: [{ name: "backup", meaning: "Its directory, or s3://BUCKET/PREFIX" }],

  async run({ arguments: { backup: source = "" } }, world) {
    const found = await withStages(world, async (report) => (await openMaintenanceHere(world)).verify(source, report))
    const problems = found.wrong.map((finding) => `problem  ${finding}\n`).join("")
    printResult(
      world,
      found,
      problems ||
        `${source} ${found.damaged ? "is as it was made" : "is intact"}: ${describeBackup(found)}\n${describeFaults(found)}`,
    )
    return problems === "" ? exitCode(found) : 1
  },
}

export const restoreCommand: OwnCommand = {
  name: "restore",
  summary: "Restore a backup to the data directory of this machine's service",
  description:
    "Run it as the service's user and with the service's settings while the service is stopped. The data directory must not " +
    "contain a Petstore's data. The backup is verified first and compared with the restored files afterwards. The service " +
    "does not start after an interrupted restore: run the command again. Images that the backup lacks are listed.",
  arguments: [{ name: "backup", meaning: "Its directory, or s3://BUCKET/PREFIX" }],

  async run({ arguments: { backup: source = "" } }, world) {
    const restored = await withStages(world, async (report) =>
      (await openMaintenanceHere(world)).restore(source, report),
    )
    const advice = restored.sealingKey === "stored" ? "" : needsKey
    printResult(world, restored, `restored: ${describeBackup(restored)}\n${describeFaults(restored)}${advice}`)
    return 0
  },
}

const needsKey = "Start the service with the PETSTORE_SECRET_KEY the backup was made with.\n"

export const describeBackup = ({ createdAt, files, database }: Backup): string =>
  `${describeDatabase(database)}, as of ${createdAt}, in ${counted(files.count, "file")}`

function describeDatabase(database: Backup["database"]): string {
  if (database.kind === "postgres") return "images and key without the database, which PostgreSQL's own tools back up"
  const { pets = 0, orders = 0, users = 0, images = 0 } = database.rows
  return `${counted(pets, "pet")}, ${counted(orders, "order")}, ${counted(users, "user")} and ${counted(images, "image")}`
}

const exitCode = ({ missing, damaged }: Backup): number => (missing || damaged ? isImperfect : 0)

/** What a backup lacks, and the records in it that are not what the service stored. */
export const describeFaults = (backup: Backup): string => describeMissing(backup) + describeDamaged(backup)

/** Lists the records that are not what the service stored, a line for each kind. */
const describeDamaged = ({ damaged = [] }: Backup): string =>
  damaged
    .map(
      ({ kind, ids, count }) =>
        `damaged  ${recordNouns[kind].many} that do not match their hashes (${count}): ${ids.join(" ")}\n`,
    )
    .join("")

/** Lists the images that a backup lacks, one per line. */
function describeMissing({ missing = [] }: Backup): string {
  if (missing.length === 0) return ""
  const named = missing
    .slice(0, namedMax)
    .map(({ sha256, key, reason }) => `${reason.padEnd(8)} image ${sha256}, key ${key}\n`)
  const others = missing.length - named.length
  return (
    `The backup lacks the files of ${missing.length === 1 ? "an image" : counted(missing.length, "image")} of pets:\n` +
    named.join("") +
    (others > 0 ? `and ${formatNumber(others)} more, listed in manifest.json\n` : "")
  )
}
