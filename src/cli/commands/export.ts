import { mkdtempSync, rmSync } from "node:fs"
import { type FileHandle, open, rename } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { allPages } from "../../client/pages.ts"
import { PetStatus } from "../../domain/pets/contract.ts"
import { pageLimitMax } from "../../kernel/page.ts"
import { type Command, one, type World } from "../command.ts"

const statuses = (PetStatus as unknown as { enum: PetStatus[] }).enum

export const exportPets: Command = {
  name: "export",
  summary: "Write all pets as NDJSON, one JSON object per line",
  description:
    "In ascending order of id, each pet as the service returns it. `petstore import` reads this format: importing it into an " +
    "empty store gives the same pets with the same ids. Ids of categories and tags are assigned by the service and may " +
    "differ. A pet that changes during the export is written as it was when its page was read.",
  arguments: [],
  flags: [
    { name: "status", value: statuses.join("|"), choices: statuses, meaning: "Only pets with this status", many: true },
    {
      name: "out",
      value: "FILE",
      meaning: "Where to write; the file appears only when it is complete (default standard output)",
    },
  ],

  async run(given, world) {
    const wanted = given.flags.status?.flatMap((text) => String(text).split(",")) ?? statuses
    const out = one(given, "out")
    const target = out === undefined ? undefined : dirname(out)
    const directory = mkdtempSync(join(target ?? tmpdir(), ".petstore-export-"))
    try {
      const pages = await open(join(directory, "pages"), "wx+")
      const count = await writeReversed(pages, world, wanted as PetStatus[], async (write) => {
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

type Write = (text: string) => void | Promise<void>

/** Lists are newest first: pages are appended to a file and read back from its end. */
async function writeReversed(
  pages: FileHandle,
  { service }: World,
  status: PetStatus[],
  use: (each: (write: Write) => Promise<void>) => Promise<void>,
): Promise<number> {
  const places: { position: number; length: number }[] = []
  let position = 0
  let count = 0
  for await (const page of allPages(service.client.findPetsByStatus, { query: { status, limit: pageLimitMax } })) {
    const text = Buffer.from(
      page
        .map((pet) => `${JSON.stringify(pet)}\n`)
        .reverse()
        .join(""),
    )
    await pages.appendFile(text)
    places.push({ position, length: text.length })
    position += text.length
    count += page.length
  }
  await use(async (write) => {
    for (const { position, length } of places.reverse()) {
      const { buffer } = await pages.read(Buffer.alloc(length), 0, length, position)
      await write(buffer.toString())
    }
  })
  return count
}
