import { createHash } from "node:crypto"

/** A Lua script, which Redis runs atomically. */
export type Script = { lua: string; sha1: string }

/** Adds the shared prelude to a script, whose first two arguments are `now` and the deadline. */
export function script(lua: string): Script {
  const text = prelude + lua
  return { lua: text, sha1: createHash("sha1").update(text).digest("hex") }
}

/**
 * `now` is the time of Redis in milliseconds, unless it is given. After the deadline, when the caller no longer waits, the script does
 * nothing. `forget` removes old moments from the front of a list and returns the first that remains. `settle` sets future moments to
 * now, after the clock was set back. `push` appends any number of values, `merge` the moments from the `first` on that are within a window.
 */
const prelude = `
local time = redis.call("TIME")
local clock = time[1] * 1000 + math.floor(time[2] / 1000)
if clock > tonumber(ARGV[2]) then return { clock } end
local now = ARGV[1] == "" and clock or tonumber(ARGV[1])

local function at(list, n)
  return tonumber(redis.call("LINDEX", list, n))
end

local function forget(list, upTo)
  local first = at(list, 0)
  while first and first <= upTo do
    redis.call("LPOP", list)
    first = at(list, 0)
  end
  return first
end

local function push(list, values)
  for i = 1, #values, 1000 do
    redis.call("RPUSH", list, unpack(values, i, math.min(i + 999, #values)))
  end
end

local function merge(list, moments, first, windowMs)
  local all = redis.call("LRANGE", list, 0, -1)
  for i, moment in ipairs(all) do all[i] = tonumber(moment) end
  for i = first, #moments do
    if moments[i] > now - windowMs then all[#all + 1] = math.min(moments[i], now) end
  end
  table.sort(all)
  redis.call("DEL", list)
  push(list, all)
  if #all > 0 then redis.call("PEXPIRE", list, windowMs + 1000) end
end

local function settle(list)
  local n = -1
  local last = at(list, n)
  while last and last > now do
    redis.call("LSET", list, n, now)
    n = n - 1
    last = at(list, n)
  end
end
`
