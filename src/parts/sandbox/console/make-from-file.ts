import { jsonType } from "../../../core/kernel/network/media-types.ts"
import { Problem } from "../../../core/kernel/problem.ts"
import { inputReader } from "../../../core/server/reading/read-input.ts"
import { type NewSandbox, namedSandboxes, type Sandbox } from "../named/contract.ts"
import type { NamedSandboxes } from "../named/named.ts"
import { makeSandbox } from "../named/sandbox-verbs.ts"

/** Makes a named sandbox from a sandbox file, as `POST /sandboxes` does. Throws its problems. */
export async function makeFromFile(
  sandboxes: NamedSandboxes,
  file: AsyncIterable<Buffer>,
  { name, address }: { name: string; address: string },
): Promise<Sandbox> {
  const visible = sandboxes.visible()
  if (!visible?.restore) throw new Problem("not-found", "There are no named sandboxes")
  const { createSandbox } = namedSandboxes
  await using restored = await visible.restore(file, createSandbox.bodyBytesMax)
  if (!restored.file) throw new Problem("invalid-body", "The file is not a sandbox file")
  const body = inputReader(createSandbox).readBody(restored.rest, { "content-type": jsonType }) as NewSandbox
  const made = await makeSandbox(visible, { name, body, file: restored.file }, address)
  if (made instanceof Problem) throw made
  return made
}
