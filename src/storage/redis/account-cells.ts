/**
 * Lua for the requests of an account by minute. They are a list of minute, count, minute, count, …, and the sum of all counts
 * at the end, so that nothing of it can be evicted without the rest. `oldest` is the first minute that is within a day.
 */
export const accountCells = `
local minute = math.floor(now / 60000)
local oldest = minute - 1440

-- Writes the cells anew, with those given. What is in the future counts in this minute: the clock was set back.
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
