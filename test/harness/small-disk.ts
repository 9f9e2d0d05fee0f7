import { execFileSync } from "node:child_process"
import { temporaryDirectory } from "./directory.ts"

/** A separate file system, by default a small one, removed when it is disposed of. */
export function smallDisk(size = "28m"): { path: string; grow(): void } & Disposable {
  const directory = temporaryDirectory()
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", directory.path])
  return {
    path: directory.path,
    grow: () => void execFileSync("mount", ["-o", "remount,size=1g", directory.path]),
    [Symbol.dispose]() {
      execFileSync("umount", ["-l", directory.path])
      directory[Symbol.dispose]()
    },
  }
}

/** Whether this process can create such a file system. */
export const mayMount = process.platform === "linux" && mounts()

function mounts(): boolean {
  try {
    smallDisk()[Symbol.dispose]()
    return true
  } catch {
    return false
  }
}
