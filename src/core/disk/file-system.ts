import { statfsSync } from "node:fs"

/** The types of tmpfs and ramfs (statfs(2)). */
const inMemory: ReadonlySet<number> = new Set([0x01021994, 0x858458f6])

/** Whether the files in an existing directory are in memory. */
export const isInMemory = (directory: string): boolean => inMemory.has(statfsSync(directory).type)
