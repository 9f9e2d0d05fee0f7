import { access, constants, statfs } from "node:fs/promises"
import { dirname } from "node:path"
import type { World } from "../../../cli/command/command.ts"
import { CannotStart } from "../../../core/kernel/cannot-start.ts"
import type { Finding } from "../contract.ts"
import { administer } from "./machine.ts"

const freeGiBWanted = 1

/** Checks that a service started here can use its data directory, and its free space. */
export async function checkDataDirectory({
  readConfig,
}: Pick<World, "readConfig">): Promise<{ finding: Finding; isUsable: boolean }> {
  const about = "data"
  try {
    const { database } = readConfig()
    const onServer = { about, found: "a service started here uses the server in PETSTORE_DATABASE_URL" }
    if (database.kind === "postgres") return { finding: onServer, isUsable: true }
    const { file } = database
    const directory = await findExistingDirectory(dirname(file))
    await access(directory, constants.W_OK)
    const { bavail, bsize } = await statfs(directory)
    return { finding: { about, ...describeSpace(file, bavail * bsize) }, isUsable: true }
  } catch (error) {
    const advice = "Correct the setting, or make the directory writable for the service's user"
    return { finding: { about, found: (error as Error).message, advice }, isUsable: false }
  }
}

/** The file with the free space beside it, and what to do when that is little. */
export function describeSpace(file: string, freeBytes: number): Omit<Finding, "about"> {
  const freeGiB = freeBytes / 1024 ** 3
  const found = `a service started here uses ${file}, ${freeGiB.toFixed(1)} GiB free`
  if (freeGiB >= freeGiBWanted) return { found }
  return { found, advice: "Free some space, or choose another directory with PETSTORE_DATA_DIR" }
}

/** The directory or its nearest existing ancestor; the service creates missing directories. */
const findExistingDirectory = (directory: string): Promise<string> =>
  access(directory).then(
    () => directory,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT" || dirname(directory) === directory) throw error
      return findExistingDirectory(dirname(directory))
    },
  )

/** Findings of the service on this machine about its data; while it is stopped, the files are inspected directly. */
export async function checkData(world: Pick<World, "readConfig">): Promise<readonly Finding[]> {
  try {
    const { error, findings = [] } = await administer(world, { action: "inspect" })
    return error === undefined ? findings : [{ about: "schema", found: error, advice: "See the service's log" }]
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error
    const advice = 'See "Damaged and missing files" in docs/backup.md'
    return [{ about: "database", found: error.message, advice }]
  }
}
