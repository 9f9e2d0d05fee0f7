import { type OwnCommand, UsageError } from "../../../cli/command/command.ts"
import { reportVerdicts, selectTasks, showProgress, verdictFlags } from "../../../cli/output/verdicts.ts"

export const exam: OwnCommand = {
  name: "exam",
  summary: "Examine how good a client of an API is",
  description:
    "Starts the command, an adapter of the client, for each task of docs/exam.md, in a sandbox of its own. It reads a line of JSON for each " +
    "action, and writes one: a result, an error, or that it does not claim to do this. The sandbox fails as the task says, and its journal shows " +
    "what the client did. The exit code is 1 when a task is missed.",
  flags: verdictFlags,
  rest: { name: "command", meaning: "The adapter and its arguments, after --" },
  async run(input, world) {
    const { service, environment, interrupted: signal, terminal } = world
    const [command, ...args] = input.rest
    if (command === undefined) throw new UsageError("the command is missing: petstore exam -- node adapter.mjs")
    // Loaded here because no other command needs them.
    const { runExam } = await import("../exam/run-exam.ts")
    const { chapters: all } = await import("../exam/chapters.ts")
    const { chapters, total } = selectTasks(all, input, "docs/exam.md")
    const adapter = { command, args, environment }
    const verdicts = await runExam({ url: service.url, adapter, chapters, signal }, showProgress(total, terminal))
    return reportVerdicts(verdicts, input, world)
  },
}
