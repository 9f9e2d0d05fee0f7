import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Act } from "./recording.ts"

const sectorBytes = 512

/**
 * What a disk may have after a power failure at line `cut` of the recording. What a flush confirmed is there. Of later writes each is
 * there, or not, or is torn between sectors; names are those of a journal: what was flushed, and some of the changes after it, in
 * their order.
 */
export function imageAt(acts: readonly Act[], cut: number, random: () => number): Map<string, Buffer> {
  const issued = acts.filter(({ start }) => start < cut)
  const share = [0, 0.5, 1][Math.floor(random() * 3)] as number
  const contents = contentsOf(issued, cut, (bytes) => {
    if (random() >= share) return undefined
    const sectors = Math.ceil(bytes / sectorBytes)
    return share === 0.5 && random() < 0.2 ? Math.floor(random() * sectors) * sectorBytes : bytes
  })
  const names = namesOf(issued, cut, random)
  return new Map([...names].map(([path, file]) => [path, contents.get(file) ?? Buffer.alloc(0)]))
}

type Change = Extract<Act, { do: "write" | "truncate" }>
const isChange = (act: Act): act is Change => act.do === "write" || act.do === "truncate"
const isFlush = (act: Act): act is Extract<Act, { do: "sync" }> => act.do === "sync"

/** The bytes of each file; `kept` returns how many of the first bytes of a change without a flush are there, undefined for none. */
function contentsOf(issued: readonly Act[], cut: number, kept: (bytes: number) => number | undefined) {
  const flushedTo = new Map<number, number>()
  for (const { file, start, end } of issued.filter(isFlush))
    if (end < cut) flushedTo.set(file, Math.max(start, flushedTo.get(file) ?? 0))
  const contents = new Map<number, Buffer>()
  for (const [file, changes] of Map.groupBy(issued.filter(isChange), ({ file }) => file)) {
    const bytes = Buffer.alloc(Math.max(...changes.map((change) => (change.do === "write" ? endOf(change) : 0))))
    let size = 0
    for (const change of changes) {
      const asked = change.do === "write" ? change.bytes.length : 1
      const count = change.end < (flushedTo.get(file) ?? 0) ? asked : kept(asked)
      if (count === undefined) continue
      if (change.do === "write") change.bytes.copy(bytes, change.offset, 0, count)
      else bytes.fill(0, change.size)
      size = change.do === "write" ? Math.max(size, change.offset + count) : change.size
    }
    contents.set(file, bytes.subarray(0, size))
  }
  return contents
}

const endOf = ({ offset, bytes }: { offset: number; bytes: Buffer }): number => offset + bytes.length

/** The names and the files that they lead to. */
function namesOf(issued: readonly Act[], cut: number, random: () => number): Map<string, number> {
  const changes = issued.filter(({ do: what }) => ["create", "rename", "link", "remove"].includes(what))
  const flushedTo = Math.max(
    0,
    ...issued.filter((act) => act.do === "sync names" && act.end < cut).map((act) => act.start),
  )
  const certain = changes.filter(({ end }) => end < flushedTo).length
  const count = certain + Math.floor(random() * (changes.length - certain + 1))
  const names = new Map<string, number>()
  for (const act of changes.slice(0, count)) {
    if (act.do === "create") names.set(act.path, act.file)
    if (act.do === "link") names.set(act.to, names.get(act.path) as number)
    if (act.do === "remove") names.delete(act.path)
    if (act.do === "rename")
      for (const [path, file] of [...names])
        if (path === act.path || path.startsWith(`${act.path}/`)) {
          names.delete(path)
          names.set(act.to + path.slice(act.path.length), file)
        }
  }
  return names
}

/** Writes the image of `directory` into another one. */
export function writeImage(image: Map<string, Buffer>, directory: string, to: string): void {
  for (const [path, bytes] of image) {
    const target = join(to, path.slice(directory.length))
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
    writeFileSync(target, bytes, { mode: 0o600 })
  }
}
