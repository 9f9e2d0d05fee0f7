import type { Backup } from "../../domain/admin/contract.ts"
import type { OwnCommand } from "../command.ts"
import { answer } from "../output/answer.ts"
import { formatNumber } from "../output/progress.ts"
import { withStages } from "../output/stages.ts"

/** The exit code of a command that worked, on a backup that lacks images. */
const lacksImages = 3

const namedMax = 20

const settingsNote =
  "Run it as the service's user, with the service's settings: PETSTORE_DATA_DIR says where the data is. "

export const backup: OwnCommand = {
  name: "backup",
  summary: "Write a backup of this machine's service: database, images and sealing key",
  description:
    `${settingsNote}The service may run meanwhile. A directory must not exist and appears only when the backup is whole; ` +
    "files.ndjson in it lists every file with its SHA-256. Images whose files are missing or damaged are left out and named, " +
    "also in manifest.json, and the exit code is 3. The sealing key is stored in the clear, readable for its owner " +
    "only, unless it is a setting (PETSTORE_SECRET_KEY): keep the backup as safe as the data directory.",
  arguments: [{ name: "target", meaning: "A directory that is not there yet, or s3://BUCKET/PREFIX" }],

  async run({ arguments: { target = "" } }, world) {
    const made = await withStages(world, (maintenance, report) => maintenance.backUp(target, report))
    answer(world, made, `${target}: ${describe(made)}\n${keyNotes[made.sealingKey]}\n${describeMissing(made)}`)
    return made.missing ? lacksImages : 0
  },
}

const keyNotes = {
  stored: "It holds the key to the secrets in the database: keep it as safe as the data directory.",
  "not stored": "The key to the secrets in the database is not in it: keep PETSTORE_SECRET_KEY, too.",
}

export const verifyBackup: OwnCommand = {
  name: "backup verify",
  summary: "Check a backup: every hash, the database, its images and the key",
  description:
    "Reads all of it and says what is wrong. Exits with 1 when anything is, and with 3 when it is as it was written and lacks " +
    "images whose files were missing then.",
  arguments: [{ name: "backup", meaning: "Its directory, or s3://BUCKET/PREFIX" }],

  async run({ arguments: { backup: source = "" } }, world) {
    const found = await withStages(world, (maintenance, report) => maintenance.verify(source, report))
    const problems = found.wrong.map((finding) => `problem  ${finding}\n`).join("")
    answer(world, found, problems || `${source} is sound: ${describe(found)}\n${describeMissing(found)}`)
    if (problems !== "") return 1
    return found.missing ? lacksImages : 0
  },
}

export const restoreCommand: OwnCommand = {
  name: "restore",
  summary: "Put a backup where this machine's service keeps its data",
  description:
    "Run it as the service's user, with the service's settings and the service stopped. Nothing of a Petstore may be in " +
    "the data directory. The backup is verified first, what was written is compared with it afterwards, and no service " +
    "starts on a restore that was interrupted: run it again. Images that the backup lacks are named.",
  arguments: [{ name: "backup", meaning: "Its directory, or s3://BUCKET/PREFIX" }],

  async run({ arguments: { backup: source = "" } }, world) {
    const restored = await withStages(world, (maintenance, report) => maintenance.restore(source, report))
    const advice = restored.sealingKey === "stored" ? "" : needsKey
    answer(world, restored, `restored: ${describe(restored)}\n${describeMissing(restored)}${advice}`)
    return 0
  },
}

const needsKey = "Start the service with the PETSTORE_SECRET_KEY the backup was made with.\n"

const describe = ({ createdAt, files, database }: Backup): string =>
  `${describeDatabase(database)}, as of ${createdAt}, in ${count(files.count)} files`

function describeDatabase(database: Backup["database"]): string {
  if (database.kind === "postgres") return "images and key without the database, which PostgreSQL's own tools back up"
  const { pets, orders, users, images } = database.rows
  return `${count(pets)} pets, ${count(orders)} orders, ${count(users)} users and ${count(images)} images`
}

const count = (number = 0): string => formatNumber(number)

/** Names the images that a backup lacks, a line each; empty when it has all of them. */
function describeMissing({ missing = [] }: Backup): string {
  if (missing.length === 0) return ""
  const named = missing
    .slice(0, namedMax)
    .map(({ sha256, key, reason }) => `${reason.padEnd(8)} image ${sha256}, key ${key}\n`)
  const others = missing.length - named.length
  return (
    `The backup lacks the files of ${missing.length === 1 ? "an image" : `${count(missing.length)} images`} to which pets refer:\n` +
    named.join("") +
    (others > 0 ? `and ${count(others)} more, which manifest.json names\n` : "")
  )
}
