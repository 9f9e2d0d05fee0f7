import { api } from "../domain/api.ts"
import { sandbox } from "../domain/sandbox/contract.ts"
import type { Endpoint } from "../kernel/endpoint/endpoint.ts"
import type { Command, OwnCommand } from "./command/command.ts"
import { auditVerify } from "./commands/audit-verify.ts"
import { backup, restoreCommand, verifyBackup } from "./commands/backup.ts"
import { createCompletion } from "./commands/completion.ts"
import { conform } from "./commands/conform.ts"
import { copy } from "./commands/copy.ts"
import { runDefects, scoreDefects } from "./commands/defects.ts"
import { doctor } from "./commands/doctor.ts"
import { exam } from "./commands/exam.ts"
import { exportPets } from "./commands/export.ts"
import { importFile } from "./commands/import.ts"
import { listen } from "./commands/listen.ts"
import { login } from "./commands/login.ts"
import { logout } from "./commands/logout.ts"
import { logs } from "./commands/logs.ts"
import { mcp } from "./commands/mcp.ts"
import { migrateCommand } from "./commands/migrate.ts"
import { confirmClockCommand, createAdminKey, rotateSealing, rotateSigning } from "./commands/on-this-machine.ts"
import { reset } from "./commands/reset.ts"
import { exportSandbox } from "./commands/sandbox-export.ts"
import { serve } from "./commands/serve.ts"
import { trigger } from "./commands/trigger.ts"
import { endpointCommand } from "./endpoint/endpoint-command.ts"

const own: readonly OwnCommand[] = [
  serve,
  migrateCommand,
  backup,
  verifyBackup,
  restoreCommand,
  copy,

  importFile,
  exportPets,
  login,
  logout,
  doctor,
  listen,
  logs,
  trigger,
  mcp,
  runDefects,
  scoreDefects,
  exam,
  conform,
  reset,
  exportSandbox,
  auditVerify,

  createAdminKey,
  confirmClockCommand,
  rotateSealing,
  rotateSigning,
  createCompletion(() => commands),
]

/** These commands do more than their operations. */
const { resetSandbox: _, listRequests: __, exportSandbox: ___, ...ofSandboxes } = sandbox

/** All commands: the hand-written ones, and one per endpoint of the contract and of sandboxes. */
export const commands: readonly Command[] = [
  ...own.map((command) => ({ arguments: [], flags: [], ...command })),
  ...Object.entries({ ...api, ...ofSandboxes })
    .filter(([, endpoint]: [string, Endpoint]) => !endpoint.streams)
    .map(([operationId, endpoint]) => endpointCommand(operationId, endpoint)),
]
