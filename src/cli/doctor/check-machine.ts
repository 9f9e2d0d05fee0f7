import { lstat, readdir } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import type { Finding } from "../../domain/admin/contract.ts"
import type { World } from "../command.ts"

const skewMsMax = 5_000

/** Whether others on this machine may look into the service's files, and whether all of them are of one user. */
export async function checkPermissions({ databaseFile }: World): Promise<Finding[]> {
  const about = "permissions"
  const file = databaseFile()
  if (file === undefined) return []
  const directory = dirname(file)
  const database = basename(file)
  const isOurs = (name: string) =>
    name.startsWith(database) || ["secret.key", "secret.key.next", firstKey, "images", "admin.sock"].includes(name)
  const names = (await readdir(directory).catch(() => [])).filter(isOurs)
  if (names.length === 0) return []
  const files = await Promise.all(names.map(async (name) => ({ name, about: await lstat(join(directory, name)) })))

  const open = files.filter((file) => (file.about.mode & 0o077) !== 0).map(({ name }) => name)
  const owners = new Set(files.map((file) => file.about.uid))
  if (open.length > 0)
    return [{ about, found: `others may look into ${open.join(", ")}`, advice: `chmod -R go= ${directory}` }]
  if (owners.size > 1)
    return [{ about, found: "the files belong to several users", advice: "Give all of them to the service's user" }]
  const found = `${names.length} files and directories are their owner's alone`
  if (!names.includes(firstKey)) return [{ about, found }]
  return [{ about, found, advice: `Keep the key in ${firstKey} somewhere else and delete the file` }]
}

const firstKey = "first-admin-key.txt"

/** Whether the clocks of this machine and of the service agree; `date` is the header of a response. */
export function checkClock(date: string | null, { clock }: World): Finding[] {
  const skewMs = Math.abs(Date.parse(date ?? "") - clock.now())
  if (!(skewMs > skewMsMax)) return Number.isNaN(skewMs) ? [] : [{ about: "clock", found: "the same as the service's" }]
  const found = `${Math.round(skewMs / 1000)} seconds from the service's`
  const advice = "Synchronise both with NTP: signatures, tokens and limits depend on the time"
  return [{ about: "clock", found, advice }]
}
