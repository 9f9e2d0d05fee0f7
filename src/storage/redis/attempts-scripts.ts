import { script } from "./script.ts"

/**
 * Counts one attempt under every key, or under none when one of them is used up.
 *
 * Keys: the moments of the attempts under each name. Arguments after the first two: the length of the window in
 * milliseconds, and for each key how many it holds at most.
 * Reply: the clock, and the milliseconds to wait, or 0.
 */
export const tryScript = script(`
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

/** Takes back the last attempt under each key. */
export const forgiveScript = script(`
for _, key in ipairs(KEYS) do redis.call("RPOP", key) end
return { clock }
`)

/**
 * Adds attempts that were counted elsewhere. Arguments after the first two: the length of the window in milliseconds, and
 * JSON of the moments.
 */
export const addScript = script(`
local key, window = KEYS[1], tonumber(ARGV[3])
local all = redis.call("LRANGE", key, 0, -1)
for i, moment in ipairs(all) do all[i] = tonumber(moment) end
for _, moment in ipairs(cjson.decode(ARGV[4])) do
  if moment > now - window then all[#all + 1] = math.min(moment, now) end
end
table.sort(all)
redis.call("DEL", key)
push(key, all)
if #all > 0 then redis.call("PEXPIRE", key, window) end
return { clock }
`)
