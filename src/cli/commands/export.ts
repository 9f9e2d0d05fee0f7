import { mkdtempSync, rmSync } from "node:fs"
import { type FileHandle, open, rename } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, dirname, extname, join } from "node:path"
import { allPages } from "../../client/pages.ts"
import { PetStatus } from "../../domain/pets/contract.ts"
import { pageLimitMax } from "../../kernel/page.ts"
import { type PetFormat, petFormats } from "../../pet-files/formats.ts"
import { type Command, one, UsageError, type World } from "../command.ts"

const formats = Object.keys(petFormats)
const statuses = (PetStatus as unknown as { enum: PetStatus[] }).enum

export const exportPets: Command = {
  name: "export",
  summary: "Write all pets as NDJSON, CSV or a JSON array",
  description:
    "In ascending order of id, each pet as the service returns it. `petstore import` reads every format: importing it into an " +
    "empty store gives the same pets with the same ids. Ids of categories and tags are assigned by the service and may " +
    "differ. A pet that changes during the export is written as it was when its page was read.",
  endsItself: true,
  whenInterrupted: "The export is incomplete; run it again from the beginning.",
  arguments: [],
  flags: [
    { name: "status", value: statuses.join("|"), choices: statuses, meaning: "Only pets with this status", many: true },
    {
      name: "format",
      value: formats.join("|"),
      choices: formats,
      meaning: "What to write (default what the name of --out ends with, else ndjson)",
    },
    {
      name: "out",
      value: "FILE",
      meaning: "Where to write; the file appears only when it is complete (default standard output)",
    },
  ],

  async run(given, world) {
    const wanted = given.flags.status?.flatMap((text) => String(text).split(",")) ?? statuses
    const out = one(given, "out")
    const format = chooseFormat(one(given, "format"), out)
    const target = out === undefined ? undefined : dirname(out)
    const directory = mkdtempSync(join(target ?? tmpdir(), ".petstore-export-"))
    try {
      const pages = await open(join(directory, "pages"), "wx+")
      const count = await writeReversed(pages, world, { status: wanted as PetStatus[], format }, async (write) => {
        if (out === undefined) return write((text) => world.terminal.out(text))
        const whole = join(directory, basename(out))
        const file = await open(whole, "wx")
        await write((text) => file.appendFile(text))
        await file.sync()
        await file.close()
        await rename(whole, out)
      })
      await pages.close()
      world.terminal.err(`${count.toLocaleString("en")} pets\n`)
      return 0
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  },
}

function chooseFormat(asked: string | undefined, out: string | undefined): PetFormat {
  const name = asked ?? (out === undefined ? "" : extname(out).slice(1).toLowerCase())
  if (name in petFormats) return petFormats[name as keyof typeof petFormats]
  if (asked !== undefined) throw new UsageError(`--format must be ${formats.join(", ")}`)
  return petFormats.ndjson
}

type Write = (text: string) => void | Promise<void>

/** Lists are newest first: pages are appended to a file and read back from its end. */
async function writeReversed(
  pages: FileHandle,
  { service, interrupted }: World,
  { status, format }: { status: PetStatus[]; format: PetFormat },
  use: (each: (write: Write) => Promise<void>) => Promise<void>,
): Promise<number> {
  const places: { position: number; length: number }[] = []
  let position = 0
  let count = 0
  for await (const page of allPages(service.client.findPetsByStatus, { query: { status, limit: pageLimitMax } })) {
    interrupted.throwIfAborted()
    const text = Buffer.from(page.map(format.write).reverse().join(format.separator))
    await pages.appendFile(text)
    places.push({ position, length: text.length })
    position += text.length
    count += page.length
  }
  await use(async (write) => {
    await write(format.head)
    for (const [n, { position, length }] of places.reverse().entries()) {
      interrupted.throwIfAborted()
      const { buffer } = await pages.read(Buffer.alloc(length), 0, length, position)
      await write((n === 0 ? "" : format.separator) + buffer.toString())
    }
    await write(format.tail)
  })
  return count
}
