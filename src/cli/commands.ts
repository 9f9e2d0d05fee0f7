import { api } from "../domain/api.ts"
import type { Command } from "./command.ts"
import { createCompletion } from "./commands/completion.ts"
import { doctor } from "./commands/doctor.ts"
import { exportPets } from "./commands/export.ts"
import { importPets } from "./commands/import.ts"
import { listen } from "./commands/listen.ts"
import { serve } from "./commands/serve.ts"
import { endpointCommand } from "./endpoint-command.ts"

/** Every command: those written by hand, a file each, and one for every endpoint of the contract. */
export const commands: readonly Command[] = [
  serve,
  importPets,
  exportPets,
  doctor,
  listen,
  createCompletion(() => commands),
  ...Object.entries(api).map(([operationId, endpoint]) => endpointCommand(operationId, endpoint)),
]
