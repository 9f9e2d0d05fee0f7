import { mkdtemp, open, rename, rm } from "node:fs/promises"
import { dirname, extname, join } from "node:path"
import { allPages } from "../../client/pages.ts"
import { PetStatus } from "../../core/domain/pets/contract.ts"
import { counted } from "../../core/kernel/counted.ts"
import { pageLimitMax } from "../../core/kernel/endpoint/page.ts"
import { type PetFormat, petFormats } from "../../pet-files/formats.ts"
import { type OwnCommand, one, UsageError, type World } from "../command/command.ts"
import { describeFileError } from "../command/file-error.ts"

const formats = Object.keys(petFormats)
const statuses = PetStatus.enum

export const exportPets: OwnCommand = {
  name: "export",
  summary: "Export all pets as NDJSON, CSV or a JSON array",
  description:
    "Writes pets in ascending order of id, each with the times when it was added and last changed, where they are known. " +
    "`petstore import` reads all formats and ignores the times: an import into " +
    "an empty store creates the same pets with the same ids. The service assigns the ids of categories and tags, which may " +
    "differ. A pet that changes during the export is written in its state at the time its page was read.",
  endsItself: true,
  whenInterrupted: "The export is incomplete; run the command again.",
  flags: [
    { name: "status", value: statuses.join("|"), choices: statuses, meaning: "Only pets with this status", many: true },
    {
      name: "format",
      value: formats.join("|"),
      choices: formats,
      meaning: "Output format (default: the extension of --out, otherwise ndjson)",
    },
    {
      name: "out",
      value: "FILE",
      meaning: "Output file, created only once it is complete (default: standard output)",
    },
  ],

  async run(input, world) {
    const status = input.flags.status?.flatMap((text) => String(text).split(",")) as PetStatus[] | undefined
    const out = one(input, "out")
    const format = chooseFormat(one(input, "format"), out)
    const writeTo = (write: Write) => writePets(world, status, format, write)
    const count = await (out === undefined ? writeTo(world.terminal.out) : writeWhole(out, writeTo, world.interrupted))
    world.terminal.err(`${counted(count, "pet")}\n`)
    return 0
  },
}

function chooseFormat(requested: string | undefined, out: string | undefined): PetFormat {
  const name = requested ?? (out === undefined ? "" : extname(out).slice(1).toLowerCase())
  if (Object.hasOwn(petFormats, name)) return petFormats[name as keyof typeof petFormats]
  if (requested !== undefined) throw new UsageError(`--format must be ${formats.join(", ")}`)
  return petFormats.ndjson
}

type Write = (text: string) => void | Promise<void>

/** Writes page by page in ascending order of id; resolves with the number of pets. */
async function writePets(
  { service, interrupted }: World,
  status: PetStatus[] | undefined,
  format: PetFormat,
  write: Write,
): Promise<number> {
  const query = { sort: "id" as const, limit: pageLimitMax, ...(status && { status }) }
  let count = 0
  await write(format.head)
  for await (const page of allPages(service.client.listPetRecords, { query })) {
    interrupted.throwIfAborted()
    if (page.length > 0)
      await write((count === 0 ? "" : format.separator) + page.map(format.write).join(format.separator))
    count += page.length
  }
  await write(format.tail)
  return count
}

/** Writes a file under a temporary name and renames it once it is complete and durable. */
async function writeWhole(path: string, writeTo: (write: Write) => Promise<number>, interrupted: AbortSignal) {
  const directory = await mkdtemp(join(dirname(path), ".petstore-export-")).catch((error) => {
    throw new UsageError(`--out cannot be written: ${describeFileError(dirname(path), error)}`)
  })
  try {
    await using file = await open(join(directory, "whole"), "wx")
    const written = await writeTo((text) => file.appendFile(text))
    await file.sync()
    interrupted.throwIfAborted()
    await rename(join(directory, "whole"), path)
    return written
  } finally {
    await rm(directory, { recursive: true })
  }
}
