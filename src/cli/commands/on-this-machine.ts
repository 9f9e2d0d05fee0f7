import type { AdminAnswer, AdminRequest } from "../../domain/admin/contract.ts"
import { isOn, type OwnCommand, one, type World } from "../command.ts"

const where =
  "Needs no key: whoever may read the files of the service may do it. Run it on the service's machine, as its user and with its " +
  "settings, while the service runs or while it is stopped. The audit log tells of it."

export const createAdminKey: OwnCommand = {
  name: "admin create-key",
  summary: "Make an API key with every scope, when none is left",
  description: where,
  flags: [{ name: "name", value: "TEXT", meaning: 'What to call the key (default "operator")' }],
  run: (given, world) =>
    perform(world, { action: "create-key", name: one(given, "name") ?? "operator" }, ({ id, secret }) => {
      world.terminal.err(
        `Key ${id}, shown only once. Revoke the key that was lost: petstore keys list, petstore keys revoke.\n`,
      )
      return `${secret}`
    }),
}

export const confirmClockCommand: OwnCommand = {
  name: "admin confirm-clock",
  summary: "Let retention continue after the clock has jumped, because the time is right",
  description:
    "After a jump of more than a day the service removes nothing by its age until the clock has run on for a day. Check the time " +
    `first: what a wrong clock removes is gone. The next round, at most ten minutes later, removes again. ${where}`,
  run: (_given, world) =>
    perform(
      world,
      { action: "confirm-clock" },
      ({ time }) => `It is ${time}: retention continues with the next round.`,
    ),
}

export const rotateSealing: OwnCommand = {
  name: "keys rotate-sealing",
  summary: "Encrypt all secrets at rest under a new key",
  description: `In one transaction; the old key is kept until it is done. Backups made before need the key that is in them. ${where}`,
  run: (_given, world) =>
    perform(world, { action: "rotate-sealing" }, ({ secrets }) => `${secrets} secrets are sealed under a new key.`),
}

export const rotateSigning: OwnCommand = {
  name: "keys rotate-signing",
  summary: "Sign ID tokens with a new key at once",
  description: `The keys before verify for a week after they would have been replaced, unless they are to be forgotten. ${where}`,
  flags: [
    { name: "forget-old", meaning: "Let the keys before verify nothing any more, because somebody else may have them" },
  ],
  run: (given, world) =>
    perform(
      world,
      { action: "rotate-signing", forgetOld: isOn(given, "forget-old") },
      ({ kid }) => `The key ${kid} signs now.`,
    ),
}

async function perform(world: World, request: AdminRequest, tell: (answer: AdminAnswer) => string): Promise<number> {
  const { terminal, json } = world
  const answer = await world.administer(request)
  if (json) terminal.out(`${JSON.stringify(answer)}\n`)
  else if (answer.error !== undefined) terminal.err(`${answer.error}\n`)
  else terminal.out(`${tell(answer)}\n`)
  return answer.error === undefined ? 0 : 1
}
