export type RedisReply = string | number | false | { ok: string } | string[]
/** Runs a command of a script; `false` is the reply of one that finds nothing. */
export type RedisCommands = (name: string, args: readonly string[]) => RedisReply

type Entry = { value: string | string[]; expiresAt: number }

/** The data of a server, empty, and the commands that our scripts use on it. */
export function createRedisData(now: () => number): RedisCommands {
  const entries = new Map<string, Entry>()

  function find(key: string): Entry | undefined {
    const entry = entries.get(key)
    if (entry && entry.expiresAt <= now()) entries.delete(key)
    return entries.get(key)
  }

  function text(key: string): string | undefined {
    const value = find(key)?.value
    if (typeof value === "object") throw new Error(`WRONGTYPE ${key}`)
    return value
  }

  function list(key: string): string[] {
    const value = find(key)?.value ?? []
    if (typeof value === "string") throw new Error(`WRONGTYPE ${key}`)
    return value
  }

  function put(key: string, value: Entry["value"], expiresAt = find(key)?.expiresAt ?? Number.POSITIVE_INFINITY): void {
    if (value.length > 0) entries.set(key, { value, expiresAt })
    else entries.delete(key)
  }

  function pop(key: string, value: string | undefined, rest: string[]): RedisReply {
    put(key, rest)
    return value ?? false
  }

  const commands: Record<string, (key: string, ...args: string[]) => RedisReply> = {
    TIME: () => [String(Math.floor(now() / 1000)), String((now() % 1000) * 1000)],
    GET: (key) => text(key) ?? false,
    SET(key, value = "", unit, ms) {
      if (unit !== undefined && unit !== "PX") throw new Error(`SET ${unit}`)
      put(key, value, unit ? now() + Number(ms) : Number.POSITIVE_INFINITY)
      return { ok: "OK" }
    },
    DEL: (key) => Number(find(key) !== undefined && entries.delete(key)),
    EXISTS: (key) => Number(find(key) !== undefined),
    INCRBY(key, by) {
      put(key, String(Number(text(key) ?? 0) + Number(by)))
      return Number(text(key))
    },
    PEXPIRE(key, ms) {
      const entry = find(key)
      if (entry) entry.expiresAt = now() + Number(ms)
      return Number(entry !== undefined)
    },
    LLEN: (key) => list(key).length,
    LINDEX: (key, n) => list(key).at(Number(n)) ?? false,
    LRANGE: (key, from, to) => list(key).slice(Number(from), Number(to) + 1 || undefined),
    LSET(key, n, value = "") {
      const values = list(key)
      if (values.at(Number(n)) === undefined) throw new Error(`LSET ${key} ${n}`)
      values[Number(n) < 0 ? values.length + Number(n) : Number(n)] = value
      return { ok: "OK" }
    },
    RPUSH(key, ...values) {
      put(key, [...list(key), ...values])
      return list(key).length
    },
    LPOP: (key) => pop(key, list(key)[0], list(key).slice(1)),
    RPOP: (key) => pop(key, list(key).at(-1), list(key).slice(0, -1)),
  }

  return (name, [key = "", ...args]) => {
    const command = commands[name]
    if (!command) throw new Error(`a command that the simulation does not know: ${name}`)
    return command(key, ...args)
  }
}
