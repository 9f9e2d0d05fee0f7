import { existsSync, readdirSync } from "node:fs"
import { dirname, join } from "node:path"

/** The directory of a service's named sandboxes; undefined before it has one. */
export function sandboxDirectoryOf({ databaseFile }: { databaseFile: string }): string | undefined {
  const parent = join(dirname(databaseFile), "petstore-sandboxes")
  const names = existsSync(parent) ? readdirSync(parent).filter((name) => !name.includes(".")) : []
  return names[0] && join(parent, names[0])
}

/** The names of the directories in it: the template, and one for each sandbox. */
export function sandboxDirectoriesOf(service: { databaseFile: string }): string[] {
  const directory = sandboxDirectoryOf(service)
  return directory === undefined ? [] : readdirSync(directory)
}
