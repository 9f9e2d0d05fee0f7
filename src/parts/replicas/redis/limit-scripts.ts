// Decision: docs/decisions/redis.md#an-account-is-a-list-of-requests-and-a-list-of-cells

import { script } from "./script.ts"

/** The keys of an account. The braces select the slot of a cluster, the same for all. `runId` identifies a process. */
export const keysOf = (accountId: number, runId: string) => ({
  moments: `petstore:limits:{${accountId}}:minute`,
  cells: `petstore:limits:{${accountId}}:day`,
  mine: `petstore:limits:{${accountId}}:${runId}`,
  added: `petstore:limits:{${accountId}}:${runId}:added`,
  restored: `petstore:limits:{${accountId}}:${runId}:restored`,
})

/**
 * Lua for the requests of an account by minute: a list of minute, count, minute, count, …, and the sum of all counts at the end, so
 * that Redis evicts all or nothing. `oldest` is the first minute within a day.
 */
const accountCells = `
local minute = math.floor(now / 60000)
local oldest = minute - 1440

-- Rewrites the cells with those given added. Future cells count in this minute: the clock was set back.
local function rewriteCells(list, given)
  local counts, minutes, values, sum = {}, {}, {}, 0
  local function add(m, count)
    m = math.min(tonumber(m), minute)
    if m < oldest then return end
    if not counts[m] then minutes[#minutes + 1] = m end
    counts[m] = (counts[m] or 0) + count
    sum = sum + count
  end
  local stored = redis.call("LRANGE", list, 0, -2)
  for i = 1, #stored, 2 do add(stored[i], stored[i + 1]) end
  for i = 1, #given, 2 do add(given[i], given[i + 1]) end
  table.sort(minutes)
  for _, m in ipairs(minutes) do
    values[#values + 1] = m
    values[#values + 1] = counts[m]
  end
  redis.call("DEL", list)
  if sum == 0 then return end
  values[#values + 1] = sum
  push(list, values)
end
`

/**
 * Counts requests of several accounts, each in both windows or in neither, and returns the state of both.
 *
 * Keys of each account: the moments of the last minute, the cells of the last day, and the number of requests this process counted.
 * Arguments of each after the first two: both quotas, and the number of its requests.
 * Reply: the clock, now, and for each account: how many of its requests were admitted, the number this process counted, and for each
 * window: requests in it, the oldest (a moment, or a minute since the epoch), and the one that has to leave to make space.
 */
export const admitScript = script(`${accountCells}
local reply = { clock, now }

local function count(moments, cells, mine, minuteQuota, dayQuota, wanted)
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
  local admitted = math.max(0, math.min(wanted, minuteQuota - inMinute, dayQuota - inDay))
  local counted = 0
  if admitted > 0 then
    local added = {}
    for i = 1, admitted do added[i] = now end
    push(moments, added)
    redis.call("PEXPIRE", moments, 61000)
    firstMoment = firstMoment or now
    if inDay == 0 then
      redis.call("RPUSH", cells, minute, admitted, admitted)
      first = minute
    elseif last == minute then
      redis.call("LSET", cells, -2, newest[2] + admitted)
      redis.call("LSET", cells, -1, inDay + admitted)
    else
      redis.call("LSET", cells, -1, minute)
      redis.call("RPUSH", cells, admitted, inDay + admitted)
    end
    redis.call("PEXPIRE", cells, 86520000)
    inMinute = inMinute + admitted
    inDay = inDay + admitted
    counted = redis.call("INCRBY", mine, admitted)
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
  local state = { admitted, counted, inMinute, firstMoment or 0, nextMoment or 0, inDay, first, leavingDay() }
  for _, value in ipairs(state) do reply[#reply + 1] = value end
end

for i = 1, #KEYS, 3 do
  count(KEYS[i], KEYS[i + 1], KEYS[i + 2], tonumber(ARGV[i + 2]), tonumber(ARGV[i + 3]), tonumber(ARGV[i + 4]))
end
return reply
`)

/** Lua that adds requests (cells, oldest first, and ascending moments) except so many of the oldest. */
const addRequests = `${accountCells}
local function addRequests(moments, cells, given, leftOut)
  local sum = 0
  for i = 1, #given.cells, 2 do
    local left = math.min(leftOut, given.cells[i + 1])
    given.cells[i + 1] = given.cells[i + 1] - left
    leftOut = leftOut - left
    sum = sum + given.cells[i + 1]
  end
  rewriteCells(cells, given.cells)
  if redis.call("EXISTS", cells) == 1 then redis.call("PEXPIRE", cells, 86520000) end
  merge(moments, given.moments, math.max(1, #given.moments - sum + 1), 60000)
end
`

/**
 * Adds requests of an account that were counted elsewhere, once, even if sent repeatedly.
 *
 * Keys: those of the admit script, and the number of the last addition by this process.
 * Arguments after the first two: the number of this addition, which only grows; the number of requests this process knows to be
 * counted, or nothing while replies are due; JSON of the cells (minute, count, …, oldest first) and the moments (ascending).
 * Redis may have counted requests whose reply got lost, which were counted elsewhere as well: so many of the oldest are left out.
 */
export const mergeScript = script(`${addRequests}
local moments, cells, mine, added = KEYS[1], KEYS[2], KEYS[3], KEYS[4]

if (tonumber(redis.call("GET", added)) or 0) >= tonumber(ARGV[3]) then return { clock } end
redis.call("SET", added, ARGV[3], "PX", 600000)

local unacknowledged = 0
if ARGV[4] ~= "" then
  unacknowledged = math.max(0, (tonumber(redis.call("GET", mine)) or 0) - ARGV[4])
  if unacknowledged > 0 then redis.call("SET", mine, ARGV[4], "PX", 600000) end
end
addRequests(moments, cells, cjson.decode(ARGV[5]), unacknowledged)
return { clock }
`)

/**
 * Adds everything that a process admitted before Redis lost its data. Several send it, each as much of it as it knows: of those
 * requests that another has sent, so many of the oldest are left out.
 *
 * Keys: the moments and the cells, and the number of requests of that process that were added. The third argument is the JSON of
 * the merge script.
 */
export const restoreScript = script(`${addRequests}
local moments, cells, restored = KEYS[1], KEYS[2], KEYS[3]
local given = cjson.decode(ARGV[3])
local before = tonumber(redis.call("GET", restored)) or 0
local sum = 0
for i = 2, #given.cells, 2 do sum = sum + given.cells[i] end
if sum <= before then return { clock } end
addRequests(moments, cells, given, before)
redis.call("SET", restored, sum, "PX", 86520000)
return { clock }
`)
