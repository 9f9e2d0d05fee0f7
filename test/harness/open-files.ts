import { existsSync, readdirSync, readlinkSync } from "node:fs"

const descriptors = "/proc/self/fd"

/** Why the open files of this process cannot be listed; false where they can. */
export const cannotListOpenFiles: string | false = !existsSync(descriptors) && "there is no /proc"

/** The number of descriptors that this process has; 0 where they cannot be listed. */
export const countAllOpen = (): number => (cannotListOpenFiles ? 0 : readdirSync(descriptors).length)

/** The number of descriptors that this process has of a file. */
export const countOpen = (path: string): number =>
  readdirSync(descriptors).filter((name) => targetOf(name) === path).length

/** The file of a descriptor; undefined for that of the listing itself, which is closed by then. */
function targetOf(name: string): string | undefined {
  try {
    return readlinkSync(`${descriptors}/${name}`)
  } catch {
    return undefined
  }
}
