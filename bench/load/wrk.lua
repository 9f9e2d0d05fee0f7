-- Request generation for wrk, selected with `wrk ... -- MODE ...`:
--   read  KEY,KEY,...        the same request every time, with a different API key in each thread
--   random PATH MAX          GET PATH followed by a random number up to MAX
--   pages PATH MAX           the same with a cursor before that number, as this service writes it
--   send METHOD BODY         the same request with this body every time
--   change                   PATCH a name, another one every time
--   create FILE              POST the lines of FILE in turn
--   keyed FILE RUN           the same, each with an Idempotency-Key that begins with RUN
--   steady FILE MS           the same, MS milliseconds after the previous response on the connection
--   batch FILE COUNT         POST so many lines of FILE in turn, as NDJSON
--   accepted CONNECTIONS     the same request every time, once all connections of the thread have been open for a second

local threads = 0
function setup(thread)
  threads = threads + 1
  thread:set("index", threads)
end

local modes = {}

function modes.read(args)
  local keys = {}
  for key in string.gmatch(args[2] or "", "[^,]+") do keys[#keys + 1] = key end
  if #keys > 0 then wrk.headers["api_key"] = keys[(index - 1) % #keys + 1] end
end

function modes.random(args)
  local path, max = args[2], tonumber(args[3])
  math.randomseed(index)
  request = function() return wrk.format("GET", path .. math.random(max)) end
end

local alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

-- Base64 without padding, of a text without bytes above 127.
local function base64(text)
  local bits = text:gsub(".", function(c)
    local b = c:byte()
    local s = ""
    for n = 7, 0, -1 do s = s .. math.floor(b / 2 ^ n) % 2 end
    return s
  end)
  bits = bits .. string.rep("0", -#bits % 6)
  return (bits:gsub("......", function(six)
    local n = tonumber(six, 2)
    return alphabet:sub(n + 1, n + 1)
  end))
end

function modes.pages(args)
  local path, max = args[2], tonumber(args[3])
  math.randomseed(index)
  local requests = {}
  for n = 1, 5000 do requests[n] = wrk.format("GET", path .. base64("before:" .. math.random(max))) end
  request = function() return requests[math.random(#requests)] end
end

-- Bodies of so many lines each; threads start at different lines.
local function post(file, count, type)
  local lines = {}
  for line in io.lines(file) do lines[#lines + 1] = line end
  local bodies = {}
  for first = 1, #lines - count + 1, count do
    bodies[#bodies + 1] = count == 1 and lines[first] or table.concat(lines, "\n", first, first + count - 1)
  end
  local sent = math.floor(#bodies / 8) * (index - 1)
  wrk.headers["content-type"] = type
  request = function()
    sent = sent + 1
    return wrk.format("POST", nil, nil, bodies[(sent - 1) % #bodies + 1])
  end
end

function modes.send(args)
  wrk.method, wrk.body = args[2], args[3]
end

function modes.change()
  wrk.headers["content-type"] = "application/json"
  local sent = 0
  request = function()
    sent = sent + 1
    return wrk.format("PATCH", nil, nil, '{"name":"Rex ' .. index .. "-" .. sent .. '"}')
  end
end

function modes.create(args) post(args[2], 1, "application/json") end

function modes.keyed(args)
  post(args[2], 1, "application/json")
  local posted, sent = request, 0
  request = function()
    sent = sent + 1
    wrk.headers["idempotency-key"] = args[3] .. "-" .. index .. "-" .. sent
    return posted()
  end
end

function modes.batch(args) post(args[2], tonumber(args[3]), "application/x-ndjson") end

function modes.steady(args)
  post(args[2], 1, "application/json")
  local pause = tonumber(args[3])
  delay = function() return pause end
end

function modes.accepted(args)
  local unopened = tonumber(args[2]) / 4
  delay = function()
    unopened = unopened - 1
    return unopened >= 0 and 1000 or 0
  end
end

function init(args)
  modes[args[1] or "read"](args)
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    'RESULT {"requests":%d,"seconds":%f,"errors":%d,"p50Ms":%f,"p99Ms":%f}\n',
    summary.requests,
    summary.duration / 1e6,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(50) / 1000,
    latency:percentile(99) / 1000
  ))
end
