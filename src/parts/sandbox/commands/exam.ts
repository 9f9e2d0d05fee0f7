import { type CommandInput, isOn, type OwnCommand, one, UsageError } from "../../../cli/command/command.ts"
import { reportVerdicts, selectTasks, showProgress, verdictFlags } from "../../../cli/output/verdicts.ts"

const timesMax = 100

export const exam: OwnCommand = {
  name: "exam",
  summary: "Examine how good a client of an API is, or an agent",
  description:
    "Starts the command, an adapter of the client, for each task of docs/exam.md, in a sandbox of its own. It reads a line of JSON for each " +
    "action, and writes one: a result, an error, or that it does not claim to do this. The sandbox fails as the task says, and its journal shows " +
    "what the client did. With --agent the command is an agent, which receives each task of docs/agents.md in words, as its last argument, on " +
    "standard input and as EXAM_TASK, and tools at MCP_URL with the key MCP_KEY. The exit code is 1 when a task is missed, or was not " +
    "measured because the adapter failed or the service was slow.",
  endsItself: true,
  flags: [
    ...verdictFlags,
    { name: "try", meaning: "Only read a pet, without a fault, and show what the adapter reads and writes" },
    { name: "agent", meaning: "Examine an agent that uses the tools of /mcp" },
    {
      name: "times",
      value: "NUMBER",
      meaning: "With --agent: do each task so often; it is passed when it is each time",
    },
  ],
  rest: { name: "command", meaning: "The adapter or the agent and its arguments, after --" },
  async run(input, world) {
    const { service, environment, interrupted: signal, terminal } = world
    const [command, ...args] = input.rest
    if (command === undefined) throw new UsageError("the command is missing: petstore exam -- node adapter.mjs")
    const examined = { command, args, environment }
    const times = timesIn(input)
    // Loaded here because no other command needs them.
    if (isOn(input, "agent")) {
      const { runAgentExam } = await import("../exam/agent/run-agent-exam.ts")
      const { commandAgent } = await import("../exam/agent/command-agent.ts")
      const { agentChapters } = await import("../exam/agent/chapters.ts")
      const { chapters, total } = selectTasks(agentChapters, input, "docs/agents.md")
      const agentExam = { url: service.url, agent: commandAgent({ ...examined, signal }), chapters, times, signal }
      return reportVerdicts(await runAgentExam(agentExam, showProgress(total, terminal)), input, world)
    }
    const { runExam } = await import("../exam/run-exam.ts")
    const { chapters: all, trial } = await import("../exam/chapters.ts")
    const isTrial = isOn(input, "try")
    const { chapters, total } = selectTasks(isTrial ? [trial] : all, input, "docs/exam.md")
    const exam = { url: service.url, adapter: examined, chapters, signal }
    const show = (line: string) => terminal.err(`${line}\n`)
    const verdicts = await runExam({ ...exam, ...(isTrial && { show }) }, showProgress(total, terminal))
    return reportVerdicts(verdicts, input, world)
  },
}

function timesIn(input: CommandInput): number {
  if (one(input, "times") !== undefined && !isOn(input, "agent")) throw new UsageError("--times needs --agent")
  const times = Number(one(input, "times") ?? 1)
  if (Number.isInteger(times) && times >= 1 && times <= timesMax) return times
  throw new UsageError(`--times must be a whole number from 1 to ${timesMax}`)
}
