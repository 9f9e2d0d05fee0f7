import { createReadStream } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"

/** What a process did to files, or sent. `start` and `end` are line numbers of the recording; `end` is infinite when it never ended. */
export type Act = { start: number; end: number } & (
  | { do: "write"; file: number; offset: number; bytes: Buffer }
  | { do: "truncate"; file: number; size: number }
  | { do: "sync"; file: number }
  /** Names. */
  | { do: "create"; path: string; file: number }
  | { do: "mkdir"; path: string }
  | { do: "rename" | "link"; path: string; to: string }
  | { do: "remove"; path: string }
  | { do: "sync names" }
  /** Text that was sent to a client. */
  | { do: "send"; text: string }
)

const traced = [
  ...["openat", "mkdir", "mkdirat", "rename", "renameat", "renameat2", "link", "linkat", "unlink", "unlinkat", "rmdir"],
  ...["write", "pwrite64", "writev", "pwritev", "ftruncate", "fallocate", "copy_file_range", "fsync", "fdatasync"],
]

/** The command that records a process and its children into `file`. The process itself stays the one that was started. */
export const recordedBy = (file: string): string[] => [
  ...["strace", "-D", "-f", "-y", "-xx", "-s", "20000000", "-e", "signal=none", "-e", `trace=${traced.join(",")}`],
  ...["-o", file],
]

type Call = { name: string; args: string; result: string; start: number; end: number }

/** Reads a recording of strace: the acts on files in `directory`, and what was sent, in the order in which they started. */
export async function readRecording(file: string, directory: string): Promise<Act[]> {
  const world = worldOf(directory)
  const acts = (await readCalls(file)).flatMap((call) => world.actsOf(call))
  return acts.sort((a, b) => a.start - b.start)
}

/** The calls in the order in which they ended, which is that of their effects as far as it is known. */
async function readCalls(file: string): Promise<Call[]> {
  const calls: Call[] = []
  const open = new Map<string, { text: string; start: number }>()
  let line = 0
  for await (const text of createInterface({ input: createReadStream(file, "latin1") })) {
    line++
    const [, pid = "", rest = ""] = /^(\d+) +(.*)$/.exec(text) ?? []
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest)
    if (rest.endsWith("<unfinished ...>")) {
      open.set(pid, { text: rest.slice(0, -"<unfinished ...>".length).trimEnd(), start: line })
      continue
    }
    const earlier = resumed ? open.get(pid) : { text: "", start: line }
    if (resumed) open.delete(pid)
    if (earlier) calls.push(...parse(earlier.text + (resumed ? resumed[1] : rest), earlier.start, line))
  }
  // What was under way at the end.
  for (const { text, start } of open.values()) calls.push(...parse(`${text}) = ?`, start, Number.POSITIVE_INFINITY))
  return calls
}

function parse(text: string, start: number, end: number): Call[] {
  const [, name, args, result] = /^(\w+)\((.*)\) += (.*)$/.exec(text) ?? []
  return name === undefined ? [] : [{ name, args: args as string, result: result as string, start, end }]
}

const decode = (hex: string): Buffer => Buffer.from(hex.replaceAll("\\x", ""), "hex")
const stringsIn = (args: string): Buffer[] =>
  [...args.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex]) => decode(hex as string))
const descriptorIn = (text: string): { number: number; path: string } => {
  const [, number, hex = ""] = /^(\d+)<([^>]*)>/.exec(text) ?? []
  return { number: Number(number), path: decode(hex).toString() }
}

/** The files as the process sees them. */
function worldOf(directory: string) {
  const files = new Map<string, number>()
  const offsets = new Map<number, number>()
  let count = 0
  const isKept = (path: string) =>
    path.startsWith(`${directory}/`) && !/\.(db-shm|lock|lock-journal|reserve|sock)$/.test(path)

  function open({ args, result, ...at }: Call): Act[] {
    const { number, path } = descriptorIn(result)
    if (!isKept(path)) return []
    offsets.set(number, 0)
    const known = files.get(path)
    if (known !== undefined)
      return args.includes("O_TRUNC") ? [{ ...span(at), do: "truncate", file: known, size: 0 }] : []
    if (!args.includes("O_CREAT")) return []
    files.set(path, count)
    return [{ ...span(at), do: "create", path, file: count++ }]
  }

  function write({ name, args, result, ...at }: Call): Act[] {
    const { number, path } = descriptorIn(args)
    const bytes = Buffer.concat(stringsIn(args.replace(/^\d+<[^>]*>/, "")))
    if (path.startsWith("socket:")) return [{ ...span(at), do: "send", text: bytes.toString() }]
    const file = files.get(path)
    if (file === undefined || !isKept(path)) return []
    const written = at.end === Number.POSITIVE_INFINITY ? bytes.length : Math.max(0, Number(result.split(" ")[0]))
    const isPlaced = name.startsWith("p")
    const offset = isPlaced ? Number(args.slice(args.lastIndexOf(",") + 1)) : (offsets.get(number) ?? 0)
    if (!isPlaced) offsets.set(number, offset + written)
    return [{ ...span(at), do: "write", file, offset, bytes: bytes.subarray(0, written) }]
  }

  function rename(from: string, to: string): void {
    for (const [path, file] of [...files])
      if (path === from || path.startsWith(`${from}/`)) {
        files.delete(path)
        files.set(to + path.slice(from.length), file)
      }
  }

  return {
    actsOf(call: Call): Act[] {
      const { name, args, result } = call
      const at = span(call)
      if (result.startsWith("-1")) return []
      if (name === "openat") return result.startsWith("?") ? [] : open(call)
      if (/^p?write/.test(name)) return write(call)
      const { path: opened } = descriptorIn(args)
      if (name === "fsync" || name === "fdatasync") {
        const file = files.get(opened)
        if (file !== undefined) return [{ ...at, do: "sync", file }]
        return opened === directory || opened.startsWith(`${directory}/`) ? [{ ...at, do: "sync names" }] : []
      }
      if (name === "ftruncate") {
        const file = files.get(opened)
        return file === undefined || !isKept(opened)
          ? []
          : [{ ...at, do: "truncate", file, size: Number(args.split(", ")[1]) }]
      }
      const [path = "", to = ""] = pathsIn(args)
      if (!isKept(path) && !isKept(to)) return []
      if (name.startsWith("mkdir")) return [{ ...at, do: "mkdir", path }]
      if (name.startsWith("rename")) {
        rename(path, to)
        return [{ ...at, do: "rename", path, to }]
      }
      if (name.startsWith("link")) {
        files.set(to, files.get(path) as number)
        return [{ ...at, do: "link", path, to }]
      }
      if (/^(unlink|rmdir)/.test(name)) {
        files.delete(path)
        return [{ ...at, do: "remove", path }]
      }
      throw new Error(`${name} is not understood: ${args.slice(0, 200)}`)
    },
  }
}

/** The paths of a call; those relative to a directory, which removing a tree uses, are completed. */
const pathsIn = (args: string): string[] =>
  [...args.matchAll(/(?:<([^>]*)>, )?"((?:\\x[0-9a-f]{2})*)"/g)].map(([, base = "", hex]) =>
    join(decode(base).toString(), decode(hex as string).toString()),
  )

const span = ({ start, end }: { start: number; end: number }) => ({ start, end })
