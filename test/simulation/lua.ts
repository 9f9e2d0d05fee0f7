import { LuaFactory } from "wasmoon"
import type { RedisCommands, RedisReply } from "./redis-data.ts"

/**
 * What Redis adds to Lua, and how it writes the result of a script in RESP3: a number without its fraction, an array up to its first
 * nil. Its Lua is 5.1, where `unpack` is global, and a script may not create globals.
 */
const additions = `
unpack = table.unpack
cjson = { decode = decode }
redis = { call = call }
KEYS, ARGV = {}, {}

local function write(value)
  local kind = math.type(value) or type(value)
  if kind == "integer" then return ":" .. value .. "\\r\\n" end
  if kind == "float" then return string.format(":%.0f\\r\\n", value - math.fmod(value, 1)) end
  if kind == "string" then return "$" .. #value .. "\\r\\n" .. value .. "\\r\\n" end
  if kind == "boolean" and value then return ":1\\r\\n" end
  if kind ~= "table" then return "_\\r\\n" end
  if value.err then return "-" .. value.err .. "\\r\\n" end
  if value.ok then return "+" .. value.ok .. "\\r\\n" end
  local written = {}
  for n, element in ipairs(value) do written[n] = write(element) end
  return "*" .. #written .. "\\r\\n" .. table.concat(written)
end

local compiled = {}
function evaluate(script, keys, argv)
  compiled[script] = compiled[script] or assert(load(script))
  KEYS, ARGV = keys, argv
  return write(compiled[script]())
end

setmetatable(_G, { __newindex = function(_, name) error("a script creates the global " .. name) end })
`

const lua = await new LuaFactory().createEngine({ enableProxy: false })
let commands: RedisCommands

lua.global.set("decode", (json: string): unknown => JSON.parse(json))
lua.global.set("call", (name: string, ...args: (string | number)[]): RedisReply => {
  if (args.some((arg) => typeof arg === "number" && !Number.isSafeInteger(arg))) throw new Error(`${name} ${args}`)
  return commands(name, args.map(String))
})
lua.doStringSync(additions)
const evaluate: (script: string, keys: readonly string[], argv: readonly string[]) => string =
  lua.global.get("evaluate")

/** Runs a script with what it calls, and returns its reply in RESP3. Throws when the script fails. */
export function runScript(script: string, keys: readonly string[], argv: readonly string[], on: RedisCommands): string {
  commands = on
  return evaluate(script, keys, argv)
}
