import { script } from "./script.ts"

/**
 * Counts one attempt under every key, or under none when one of them is full. Keys: the moments of the attempts under each name.
 * Arguments after the first two: the window in milliseconds, and the maximum of each key. Reply: the clock, and the milliseconds
 * to wait, or 0.
 */
const tryScript = script(`
local window = tonumber(ARGV[3])
local wait = 0
for i, key in ipairs(KEYS) do
  settle(key)
  forget(key, now - window)
  local max = tonumber(ARGV[3 + i])
  local count = redis.call("LLEN", key)
  if count >= max then wait = math.max(wait, at(key, count - max) + window - now) end
end
if wait > 0 then return { clock, wait } end
for _, key in ipairs(KEYS) do
  redis.call("RPUSH", key, now)
  redis.call("PEXPIRE", key, window)
end
return { clock, 0 }
`)

/**
 * Counts one attempt under the key when it may proceed. Arguments after the first two: the window, the number of attempts
 * without a pause, and the pauses after them, of which the last repeats. Reply: the clock, and the milliseconds to wait, or 0.
 */
const takeScript = script(`
local key, window, max = KEYS[1], tonumber(ARGV[3]), tonumber(ARGV[4])
settle(key)
forget(key, now - window)
local count = redis.call("LLEN", key)
if count >= max then
  local pause = tonumber(ARGV[math.min(5 + count - max, #ARGV)])
  local wait = at(key, -1) + pause - now
  if wait > 0 then return { clock, wait } end
end
redis.call("RPUSH", key, now)
redis.call("PEXPIRE", key, window)
return { clock, 0 }
`)

/** The number of attempts under each key. The third argument is the window. */
const countScript = script(`
local counts = { clock }
for i, key in ipairs(KEYS) do
  settle(key)
  forget(key, now - tonumber(ARGV[3]))
  counts[i + 1] = redis.call("LLEN", key)
end
return counts
`)

/** Keeps a key for the milliseconds in the third argument. */
const rememberScript = script(`
redis.call("SET", KEYS[1], 1, "PX", ARGV[3])
return { clock }
`)

/** Whether the key exists: 1 or 0. */
const isRememberedScript = script(`return { clock, redis.call("EXISTS", KEYS[1]) }`)

/** Takes back the last attempt under each key. */
const forgiveScript = script(`
for _, key in ipairs(KEYS) do redis.call("RPOP", key) end
return { clock }
`)

/** Adds attempts that were counted elsewhere. Arguments after the first two: the window in milliseconds, and JSON of the moments. */
const addScript = script(`
merge(KEYS[1], cjson.decode(ARGV[4]), 1, tonumber(ARGV[3]))
return { clock }
`)

export const scripts = {
  tryScript,
  takeScript,
  countScript,
  rememberScript,
  isRememberedScript,
  forgiveScript,
  addScript,
}
