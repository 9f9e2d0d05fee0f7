import type { Static } from "typebox"
import { endpointsWith } from "../../../core/domain/endpoint.ts"
import { object } from "../../../core/kernel/schema/schema.ts"
import { Type } from "../../../core/kernel/schema/type.ts"

const ExamTask = object("ExamTask", {
  chapter: Type.String(),
  name: Type.String(),
  expects: Type.String({ description: "What a client does that passes" }),
  source: Type.String({ description: "The section of an RFC that demands it, or `practice`" }),
  steps: Type.Optional(
    Type.Array(Type.String(), {
      description:
        "What the client has to do, in words; each but the first starts after something was changed. Absent for a task that only `petstore exam` judges",
    }),
  ),
  outcome: Type.Enum(["open", "passed", "missed", "unclaimed", "unjudged"], {
    description:
      "`open` was not started, or waits for the client; `unclaimed` is for clients with a feature that this one did not show; `unjudged` needs an adapter, which says what the client made of it",
  }),
  observed: Type.Optional(Type.String({ description: "What was observed instead, or what is awaited" })),
  requests: Type.Optional(Type.Array(Type.String(), { description: "The requests that led to it" })),
})

const Exam = object("Exam", {
  url: Type.String({ format: "uri", description: "What the client is pointed at" }),
  key: Type.String({ description: "The API key of the client" }),
  task: Type.Optional(Type.String({ description: "The task that was started last" })),
  step: Type.Optional(Type.Integer({ minimum: 1, description: "Its step that was started last" })),
  tasks: Type.Array(ExamTask),
})
/** The exam of a client by its requests to a sandbox. */
export type Exam = Static<typeof Exam>

const endpoint = endpointsWith({ tag: "sandbox", scope: "admin", cost: 0 })

export const examEndpoints = {
  startExamTask: endpoint("POST", "/sandbox/exam/{task}", {
    summary: "Start a task of the exam, or a further step of it",
    description:
      "The first step resets the named sandbox. The task can be started again, and the one before keeps its verdict.",
    command: "sandbox start",
    params: Type.Object({
      task: Type.String({ maxLength: 64, description: "Its name", examples: ["waits-in-seconds"] }),
    }),
    knownQuery: true,
    query: Type.Object({ step: Type.Integer({ minimum: 1, maximum: 10, default: 1, description: "Its step" }) }),
    response: Exam,
    problems: ["named-sandbox-required", "not-found"],
  }),

  getExam: endpoint("GET", "/sandbox/exam", {
    summary: "Judge what a client sent in the exam",
    description:
      "The tasks of `petstore exam`, judged by the requests since each was started. A task that the client has started is missed, or passed if " +
      "it must do no more, when it has sent nothing for ten seconds.",
    command: "sandbox exam",
    response: Exam,
  }),
}
