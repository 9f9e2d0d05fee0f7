-- Request generation for wrk, selected with `wrk ... -- MODE ...`:
--   read  KEY,KEY,...        the same request every time, with a different API key in each thread
--   random PATH MAX          GET PATH followed by a random number up to MAX
--   create FILE              POST the lines of FILE in turn

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

function modes.create(args)
  local lines = {}
  for line in io.lines(args[2]) do lines[#lines + 1] = line end
  local sent = math.floor(#lines / 8) * (index - 1)
  wrk.headers["content-type"] = "application/json"
  request = function()
    sent = sent + 1
    return wrk.format("POST", nil, nil, lines[(sent - 1) % #lines + 1])
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
