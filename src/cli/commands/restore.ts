import type { Command } from "../command.ts"
import { describe, withStages } from "./backup.ts"
import { describeMissing } from "./missing-images.ts"

export const restore: Command = {
  name: "restore",
  summary: "Put a backup where this machine's service keeps its data",
  description:
    "Run it as the service's user, with the service's settings and the service stopped. Nothing of a Petstore may be in " +
    "the data directory. The backup is verified first, what was written is compared with it afterwards, and no service " +
    "starts on a restore that was interrupted: run it again. Images that the backup lacks are named.",
  arguments: [{ name: "backup", meaning: "Its directory, or s3://BUCKET/PREFIX" }],
  flags: [],

  async run({ arguments: { backup: source = "" } }, world) {
    const restored = await withStages(world, (maintenance, report) => maintenance.restore(source, report))
    if (world.json) world.terminal.out(`${JSON.stringify(restored)}\n`)
    else
      world.terminal.out(
        `restored: ${describe(restored)}\n${describeMissing(restored)}${keyNotes[restored.sealingKey]}`,
      )
    return 0
  },
}

const keyNotes = {
  stored: "",
  "not stored": "Start the service with the PETSTORE_SECRET_KEY the backup was made with.\n",
}
