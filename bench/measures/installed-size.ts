import { execFileSync } from "node:child_process"
import { lstatSync, readdirSync } from "node:fs"
import { join } from "node:path"

const mebibyte = 1024 * 1024

/** What a production install removes (`bin/trim.mjs`), and this one may have. */
const types = /\.d\.[cm]?ts$/

/** MiB on disk of what a production install of this tree has: every package that is not of development alone. */
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

/** Bytes of a package on disk, without the packages inside it, which are listed themselves. */
function bytesIn(directory: string): number {
  let bytes = 0
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.name === "node_modules" || types.test(entry.name)) continue
    const path = join(directory, entry.name)
    bytes += entry.isDirectory() ? bytesIn(path) : lstatSync(path).blocks * 512
  }
  return bytes
}
