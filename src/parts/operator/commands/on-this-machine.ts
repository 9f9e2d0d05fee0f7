import { isOn, type OwnCommand, one, type World } from "../../../cli/command/command.ts"
import { command } from "../../../program.ts"
import type { AdminRequest, AdminResponse } from "../contract.ts"
import { administer } from "./machine.ts"

const where =
  "Requires no key, only access to the service's files. Run it on the service's machine, as the service's user and with its " +
  "settings, while the service is running or stopped. It is recorded in the audit log."

export const createAdminKey: OwnCommand = {
  name: "admin create-key",
  summary: "Create an API key with all scopes when none is left",
  description: where,
  flags: [{ name: "name", value: "TEXT", meaning: 'Name of the key (default "operator")' }],
  run: (input, world) =>
    perform(world, { action: "create-key", name: one(input, "name") ?? "operator" }, ({ id, secret }) => {
      world.terminal.err(
        `Key ${id}, shown only once. Revoke the key that was lost: ${command} keys list, ${command} keys revoke.\n`,
      )
      return `${secret}`
    }),
}

export const confirmClockCommand: OwnCommand = {
  name: "admin confirm-clock",
  summary: "Confirm the system time so that retention continues after a clock jump",
  description:
    "After a jump of more than a day the service deletes no expired data until the clock has run for another day. Check the time " +
    `first: data deleted because of a wrong clock is lost. Deletion resumes within ten minutes. ${where}`,
  run: (_given, world) =>
    perform(
      world,
      { action: "confirm-clock" },
      ({ time }) => `The time ${time} is confirmed: retention continues within ten minutes.`,
    ),
}

export const rotateSealing: OwnCommand = {
  name: "keys rotate-sealing",
  summary: "Encrypt all secrets at rest under a new key",
  description: `Runs in one transaction and keeps the old key until it is committed. Earlier backups need the key that they contain. ${where}`,
  run: (_given, world) =>
    perform(world, { action: "rotate-sealing" }, ({ secrets }) => `${secrets} secrets were encrypted under a new key.`),
}

export const rotateSigning: OwnCommand = {
  name: "keys rotate-signing",
  summary: "Sign ID tokens with new keys immediately",
  description: `Earlier keys verify tokens until a week after their regular replacement, unless you use --forget-old. ${where}`,
  flags: [{ name: "forget-old", meaning: "Remove earlier keys from verification, because they may be compromised" }],
  run: (input, world) =>
    perform(
      world,
      { action: "rotate-signing", forgetOld: isOn(input, "forget-old") },
      ({ RS256, ES256 }) => `ID tokens are now signed with the keys ${RS256} (RS256) and ${ES256} (ES256).`,
    ),
}

async function perform(
  world: World,
  request: AdminRequest,
  describe: (response: AdminResponse) => string,
): Promise<number> {
  const { terminal, json } = world
  const response = await administer(world, request)
  if (json) terminal.out(`${JSON.stringify(response)}\n`)
  else if (response.error !== undefined) terminal.err(`${response.error}\n`)
  else terminal.out(`${describe(response)}\n`)
  return response.error === undefined ? 0 : 1
}
