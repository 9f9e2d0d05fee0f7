import { findNearest } from "../../core/kernel/did-you-mean.ts"
import type { Tool } from "./tool.ts"
import { allTools, type Choice, chooseTools, isExisting, isOffered, mayCall, toolsByName } from "./tools.ts"
import type { Toolset } from "./toolsets.ts"

/** How a client is offered another toolset, as the end of a sentence. */
export type AddToolset = (toolset: Toolset) => string

/** Why a tool cannot be called: what is missing, or the tool that was probably meant. */
export function whyNotOffered(name: string, choice: Choice, addToolset: AddToolset): string {
  const tool = toolsByName(choice.further).get(name)
  if (!tool) return `there is no tool ${name.slice(0, nameLengthMax)}${suggestion(name, choice)}`
  return `${name} is not offered: ${reasonsOf(tool, choice, addToolset).join(", and ")}`
}

function reasonsOf(tool: Tool, choice: Choice, addToolset: AddToolset): string[] {
  const { scope, toolset } = tool
  if (!isExisting(tool, choice)) return ["only a sandbox has it"]
  return [
    ...(mayCall(tool, choice) ? [] : [`it needs the scope ${scope}, which the credential lacks`]),
    ...(isOffered({ ...tool, scope: "any" }, choice)
      ? []
      : [`it is in the toolset ${toolset}: ${addToolset(toolset)}`]),
  ]
}

const nameLengthMax = 64

function suggestion(name: string, choice: Choice): string {
  const isCallable = (tool: Tool) => isExisting(tool, choice) && mayCall(tool, choice)
  const known = [chooseTools(choice), allTools(choice.further).filter(isCallable)]
  const meant = known.map((tools) => nearestOf(tools, lettersOf(name))).find((near) => near !== undefined)
  return meant === undefined ? "" : `; did you mean ${meant}?`
}

/** The shortest name that begins with the one typed, as `getPetById` for `get_pet`, or the nearest in spelling. */
function nearestOf(tools: readonly Tool[], typed: string): string | undefined {
  if (typed.length < longerLengthMin || typed.length > nameLengthMax) return undefined
  const byLetters = new Map(tools.map(({ listed }) => [lettersOf(listed.name), listed.name]))
  const longer = [...byLetters.keys()].filter((name) => name.startsWith(typed)).sort((a, b) => a.length - b.length)
  return byLetters.get(longer[0] ?? findNearest(typed, byLetters.keys()) ?? "")
}

const longerLengthMin = 4

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "")
