import { type ExamStep, inputAt, type ObservedTask } from "../exam/task.ts"

/** What a client does, in the steps that each begin with a preparation; `url` is that of the sandbox. */
export const instructionsOf = (task: ObservedTask, url: string): string[] =>
  stagesOf(task).map((steps) => steps.map((step) => sentences[step.action]?.(inputAt(url, step) as Input)).join(" "))

/** The steps of a task in groups: the first of each has a preparation, or is the first of the task. */
export function stagesOf({ steps }: ObservedTask): ExamStep[][] {
  const stages: ExamStep[][] = []
  for (const step of steps) {
    const last = stages.at(-1)
    if (last && !step.before) last.push(step)
    else stages.push([step])
  }
  return stages
}

type Input = {
  id: number
  name: string
  pet: object
  ids: readonly number[]
  token: { url: string; clientId: string; clientSecret: string }
}

const sentences: Partial<Record<ExamStep["action"], (input: Input) => string>> = {
  readPet: ({ id }) => `Read pet ${id}: GET /pet/${id}.`,
  addPet: ({ pet }) => `Add a pet: POST /pet with ${JSON.stringify(pet)}.`,
  renamePet: ({ id, name }) => `Rename pet ${id} to ${name}: GET /pet/${id}, and PUT /pet with all that was read.`,
  readPets: ({ ids, token }) =>
    `Read ${ids.length === 1 ? `pet ${ids[0]}` : `the pets ${ids.join(", ")} at once`} with an access token instead of the key: grant ` +
    `client_credentials, ${token.url}, client ${token.clientId}, secret ${token.clientSecret}.`,
}
