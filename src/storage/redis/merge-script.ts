import { accountCells } from "./account-cells.ts"
import { script } from "./script.ts"

/**
 * Adds requests of an account that were counted elsewhere, once, however often it is asked to.
 *
 * Keys: those of the admit script, and the number of the last addition by this process.
 * Arguments after the first two: the number of this addition, which only grows; how many requests this process knows to be
 * counted, or nothing while replies are due; JSON of the cells (minute, count, …, oldest first) and the moments (ascending)
 * to add. Redis may have counted requests whose reply got lost, and those were counted elsewhere as well: as many of the
 * oldest are left out.
 */
export const mergeScript = script(`${accountCells}
local moments, cells, mine, added = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local given = cjson.decode(ARGV[5])

if (tonumber(redis.call("GET", added)) or 0) >= tonumber(ARGV[3]) then return { clock } end
redis.call("SET", added, ARGV[3], "PX", 600000)

local unacknowledged = 0
if ARGV[4] ~= "" then
  unacknowledged = math.max(0, (tonumber(redis.call("GET", mine)) or 0) - ARGV[4])
  if unacknowledged > 0 then redis.call("SET", mine, ARGV[4], "PX", 600000) end
end
local sum = 0
for i = 1, #given.cells, 2 do
  local left = math.min(unacknowledged, given.cells[i + 1])
  given.cells[i + 1] = given.cells[i + 1] - left
  unacknowledged = unacknowledged - left
  sum = sum + given.cells[i + 1]
end

rewriteCells(cells, given.cells)
if redis.call("EXISTS", cells) == 1 then redis.call("PEXPIRE", cells, 86520000) end

local all = redis.call("LRANGE", moments, 0, -1)
for i, moment in ipairs(all) do all[i] = tonumber(moment) end
for i = math.max(1, #given.moments - sum + 1), #given.moments do
  local moment = math.min(given.moments[i], now)
  if moment > now - 60000 then all[#all + 1] = moment end
end
table.sort(all)
redis.call("DEL", moments)
push(moments, all)
if #all > 0 then redis.call("PEXPIRE", moments, 61000) end
return { clock }
`)
