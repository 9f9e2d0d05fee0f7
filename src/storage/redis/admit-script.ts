import { accountCells } from "./account-cells.ts"
import { script } from "./script.ts"

/**
 * Counts one request of an account in both windows, or in neither, and says where the account stands.
 *
 * Keys: the moments of the last minute, the cells of the last day, and how many requests this process counted.
 * Arguments after the first two: both quotas, and 1 to count or 0 to look.
 * Reply: the clock, now, how many this process counted when it was admitted and otherwise 0, and for each window how many it
 * holds, the oldest (a moment, or a minute since the epoch), and the one that has to leave before there is room.
 */
export const admitScript = script(`${accountCells}
local moments, cells, mine = KEYS[1], KEYS[2], KEYS[3]
local minuteQuota, dayQuota = tonumber(ARGV[3]), tonumber(ARGV[4])

settle(moments)
local firstMoment = forget(moments, now - 60000)

local newest = redis.call("LRANGE", cells, -3, -1)
if newest[1] and tonumber(newest[1]) > minute then
  rewriteCells(cells, {})
  newest = redis.call("LRANGE", cells, -3, -1)
end
local last = tonumber(newest[1])
local inDay = tonumber(newest[3]) or 0
local first = at(cells, 0)
while first and inDay > 0 and first < oldest do
  redis.call("LPOP", cells)
  inDay = inDay - redis.call("LPOP", cells)
  first = at(cells, 0)
  if inDay > 0 then redis.call("LSET", cells, -1, inDay) else redis.call("DEL", cells) end
end

local inMinute = redis.call("LLEN", moments)
local counted = 0
if ARGV[5] == "1" and inMinute < minuteQuota and inDay < dayQuota then
  redis.call("RPUSH", moments, now)
  redis.call("PEXPIRE", moments, 61000)
  firstMoment = firstMoment or now
  if inDay == 0 then
    redis.call("RPUSH", cells, minute, 1, 1)
    first = minute
  elseif last == minute then
    redis.call("LSET", cells, -2, newest[2] + 1)
    redis.call("LSET", cells, -1, inDay + 1)
  else
    redis.call("LSET", cells, -1, minute)
    redis.call("RPUSH", cells, 1, inDay + 1)
  end
  redis.call("PEXPIRE", cells, 86520000)
  inMinute = inMinute + 1
  inDay = inDay + 1
  counted = redis.call("INCR", mine)
  redis.call("PEXPIRE", mine, 600000)
end

local function leavingDay()
  local n = inDay - dayQuota + 1
  if n <= 1 then return first end
  local all = redis.call("LRANGE", cells, 0, -2)
  for i = 1, #all, 2 do
    n = n - all[i + 1]
    if n <= 0 then return tonumber(all[i]) end
  end
end

local nextMoment = firstMoment
if inMinute > minuteQuota then nextMoment = at(moments, inMinute - minuteQuota) end
if inDay == 0 then first = 0 end
return {
  clock, now, counted,
  inMinute, firstMoment or 0, nextMoment or 0,
  inDay, first, leavingDay(),
}
`)
