import { lstat, readdir } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import type { World } from "../../../cli/command/command.ts"
import { counted } from "../../../core/kernel/counted.ts"
import type { Finding } from "../contract.ts"

const skewMsMax = 5_000

/** Checks that only the owner can read the service's files, and that they have one owner. */
export async function checkPermissions({ readConfig }: Pick<World, "readConfig">): Promise<Finding[]> {
  const about = "permissions"
  const { database } = readConfig()
  if (database.kind === "postgres") return []
  const directory = dirname(database.file)
  const ofDatabase = basename(database.file)
  const isOurs = (name: string) =>
    name.startsWith(ofDatabase) || ["secret.key", "secret.key.next", firstKey, "images", "admin.sock"].includes(name)
  const names = (await readdir(directory).catch(() => [])).filter(isOurs)
  if (names.length === 0) return []
  const files = await Promise.all(names.map(async (name) => ({ name, about: await lstat(join(directory, name)) })))

  const open = files.filter((file) => (file.about.mode & 0o077) !== 0).map(({ name }) => name)
  const owners = new Set(files.map((file) => file.about.uid))
  if (open.length > 0)
    return [{ about, found: `other users can read ${open.join(", ")}`, advice: `chmod -R go= ${directory}` }]
  if (owners.size > 1)
    return [
      { about, found: "the files have several owners", advice: "Make the service's user the owner of all of them" },
    ]
  const found = `${names.length} files and directories are accessible by their owner only`
  const closed = { about, found }
  if (!names.includes(firstKey)) return [closed]
  const advice = "Store it in another place and delete the file"
  return [closed, { about: "first key", found: `it is still in ${join(directory, firstKey)}`, advice }]
}

const firstKey = "first-admin-key.txt"

/** Compares the clocks of this machine and the service; `date` is a response header. */
export function checkClock(date: string | null, { clock }: Pick<World, "clock">): Finding[] {
  const skewMs = Math.abs(Date.parse(date ?? "") - clock.now())
  if (!(skewMs > skewMsMax)) return Number.isNaN(skewMs) ? [] : [{ about: "clock", found: "in sync with the service" }]
  const found = `${counted(Math.round(skewMs / 1000), "second")} off the service's clock`
  const advice = "Synchronize both with NTP: signatures, tokens and limits depend on the time"
  return [{ about: "clock", found, advice }]
}
