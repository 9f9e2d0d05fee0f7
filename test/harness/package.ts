import { cpSync, globSync, mkdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { runTool } from "./foreign-tools.ts"

const root = join(import.meta.dirname, "..", "..")
const notSource = new Set([".git", "node_modules", "data", "dist"])
const timeoutMs = 300_000

/** Copies the source, as in a clone, into a new directory that shares the dependencies of this one. */
export function copySource(path: string): void {
  mkdirSync(path)
  for (const name of globSync("{*,.*}", { cwd: root }))
    if (!notSource.has(name))
      cpSync(join(root, name), join(path, name), {
        recursive: true,
        verbatimSymlinks: true,
        filter: (from) => !from.endsWith(".cache"),
      })
  symlinkSync(join(root, "node_modules"), join(path, "node_modules"))
}

/** Packs a directory; returns the file. */
export async function pack(path: string): Promise<string> {
  await runTool("npm", ["pack", "--loglevel=error"], path, timeoutMs)
  const [file = ""] = globSync("petstore-*.tgz", { cwd: path })
  return join(path, file)
}
