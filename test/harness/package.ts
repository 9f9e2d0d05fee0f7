import { cpSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import { temporaryDirectory } from "./directory.ts"
import { clientsDirectory, installOnce, ownDirectory, runTool } from "./foreign-tools.ts"

const root = join(import.meta.dirname, "..", "..")
const notSource = new Set([".git", "node_modules", "data", "dist"])
const timeoutMs = 300_000

/** The name and the version of the published package. */
export const { name: packageName, version: packageVersion }: { name: string; version: string } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
)

/** The file that `npm pack` writes. */
export const packageFile = `${packageName.slice(1).replace("/", "-")}-${packageVersion}.tgz`

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

/** Packs a copy of the source; returns the file. */
export async function pack(path: string): Promise<string> {
  await runTool("npm", ["pack", "--loglevel=error"], path, timeoutMs)
  return join(path, packageFile)
}

/** The directory with the packed file of this source, and with the package unpacked: packed once for each state of the source. */
async function packed(): Promise<string> {
  const { path, missing } = await installOnce("package", sourceFiles(), packSource, ownDirectory)
  if (path === undefined) throw new Error(missing)
  return path
}

/** The packed file of this source. */
export const packedFile = async (): Promise<string> => join(await packed(), packageFile)

/**
 * Installs the packed package in a folder. Its dependencies are those of this checkout, because the package is unpacked below it.
 */
export async function addPackage(folder: string): Promise<void> {
  const path = join(await packed(), "package")
  const modules = join(folder, "node_modules")
  const place = join(modules, packageName)
  for (const directory of [dirname(place), join(modules, ".bin")]) mkdirSync(directory, { recursive: true })
  symlinkSync(path, place)
  symlinkSync(join(path, "bin", "petstore"), join(modules, ".bin", "petstore"))
}

const sourceFiles = (): string[] =>
  globSync(["*.md", "package*.json", "tsconfig*.json", "{bin,clients,src,docs,deploy,examples}/**/*.*"], { cwd: root })
    .sort()
    .map((file) => relative(clientsDirectory, join(root, file)))

async function packSource(path: string): Promise<void> {
  for (const earlier of globSync("package-*", { cwd: dirname(path) }))
    if (!earlier.startsWith(basename(path))) rmSync(join(dirname(path), earlier), { recursive: true })
  using directory = temporaryDirectory()
  const source = join(directory.path, "source")
  copySource(source)
  cpSync(await pack(source), join(path, packageFile))
  await runTool("tar", ["xzf", packageFile], path)
}
