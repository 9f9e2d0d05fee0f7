import { execFileSync } from "node:child_process"
import { lstatSync, readdirSync } from "node:fs"
import { join } from "node:path"

const mebibyte = 1024 * 1024

/** Files that a production install removes (`bin/trim.mjs`) and this one may contain. */
const types = /\.d\.[cm]?ts$/

/** MiB on disk of a production install of this tree: every package that is not only a development dependency. */
export function installedMebibytes(root: string): number {
  const listed = execFileSync("npm", ["ls", "--omit=dev", "--all", "--parseable"], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  })
  const packages = new Set(
    listed
      .trim()
      .split("\n")
      .filter((path) => path !== root),
  )
  let bytes = 0
  for (const path of packages) bytes += bytesIn(path)
  return bytes / mebibyte
}

/** Bytes of a package on disk, without nested packages, which the list contains separately. */
function bytesIn(directory: string): number {
  let bytes = 0
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.name === "node_modules" || types.test(entry.name)) continue
    const path = join(directory, entry.name)
    bytes += entry.isDirectory() ? bytesIn(path) : lstatSync(path).blocks * 512
  }
  return bytes
}
