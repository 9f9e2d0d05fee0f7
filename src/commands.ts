import { globalFlagsWith } from "./cli/arguments/global-flags.ts"
import type { Command, OwnCommand } from "./cli/command/command.ts"
import { auditVerify } from "./cli/commands/audit-verify.ts"
import { createCompletion } from "./cli/commands/completion.ts"
import { createConform } from "./cli/commands/conform.ts"
import { exportPets } from "./cli/commands/export.ts"
import { importFile } from "./cli/commands/import.ts"
import { listen } from "./cli/commands/listen.ts"
import { login } from "./cli/commands/login.ts"
import { logout } from "./cli/commands/logout.ts"
import { serve } from "./cli/commands/serve.ts"
import { trigger } from "./cli/commands/trigger.ts"
import { endpointCommand } from "./cli/endpoint/endpoint-command.ts"
import { api } from "./core/domain/api.ts"
import type { Endpoint } from "./core/kernel/endpoint/endpoint.ts"
import { createMcp } from "./parts/mcp/command.ts"
import { backup, restoreCommand, verifyBackup } from "./parts/operator/commands/backup.ts"
import { copy } from "./parts/operator/commands/copy.ts"
import { doctor } from "./parts/operator/commands/doctor.ts"
import { migrateCommand } from "./parts/operator/commands/migrate.ts"
import {
  confirmClockCommand,
  createAdminKey,
  rotateSealing,
  rotateSigning,
} from "./parts/operator/commands/on-this-machine.ts"
import { runDefects, scoreDefects } from "./parts/sandbox/commands/defects.ts"
import { exam } from "./parts/sandbox/commands/exam.ts"
import { examinedSandbox } from "./parts/sandbox/commands/examined-sandbox.ts"
import { fault } from "./parts/sandbox/commands/fault.ts"
import { sandboxFlag } from "./parts/sandbox/commands/flag.ts"
import { logs } from "./parts/sandbox/commands/logs.ts"
import { reset } from "./parts/sandbox/commands/reset.ts"
import { diffSandbox } from "./parts/sandbox/commands/sandbox-diff.ts"
import { exportSandbox } from "./parts/sandbox/commands/sandbox-export.ts"
import { tryOut } from "./parts/sandbox/commands/try.ts"
import { sandbox } from "./parts/sandbox/contract.ts"

/** Operations besides those of the API, which a service with their part has. */
const further: Readonly<Record<string, Endpoint>> = sandbox

/** Flags of all commands. */
export const globalFlags = globalFlagsWith([sandboxFlag])

const own: readonly OwnCommand[] = [
  serve,
  tryOut,
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
  fault,
  trigger,
  createMcp(further),
  runDefects,
  scoreDefects,
  exam,
  createConform(examinedSandbox),
  reset,
  exportSandbox,
  diffSandbox,
  auditVerify,

  createAdminKey,
  confirmClockCommand,
  rotateSealing,
  rotateSigning,
  createCompletion(() => commands, globalFlags),
]

/** The commands of these operations do more than one request. */
const ownOnly = ["resetSandbox", "listRequests", "exportRequests", "exportSandbox", "diffSandbox"]
const others = Object.entries(further).filter(([operationId]) => !ownOnly.includes(operationId))

/** All commands: the hand-written ones, and one for each other operation. */
export const commands: readonly Command[] = [
  ...own.map((command) => ({ arguments: [], flags: [], ...command })),
  ...[...Object.entries<Endpoint>(api), ...others]
    .filter(([, { streams }]) => !streams)
    .map(([operationId, endpoint]) => endpointCommand(operationId, endpoint)),
]
