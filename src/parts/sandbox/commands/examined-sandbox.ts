import { createPetstoreClient } from "../../../client/petstore-client.ts"
import { createSandboxClient } from "../client/sandbox-client.ts"
import { deleteInTime, untilAborted } from "../exam/own-sandbox.ts"

/** A sandbox for one run of a command. */
export const examinedSandbox = {
  words: "At a sandbox of this service it makes a named one, and deletes it at the end.",

  /** Undefined where the first key may not make one, and where a new one does not know all of the keys. */
  async open(root: string, keys: readonly [string, ...string[]], signal: AbortSignal) {
    const name = `conform-${crypto.randomUUID()}`
    const service = createSandboxClient({ url: root, apiKey: keys[0] })
    const { url } = createSandboxClient({ url: root, name })
    const remove = async () => {
      const isDeleted = await succeeds(deleteInTime(service, name))
      return `Examined in a sandbox of its own, which ${isDeleted ? "is deleted" : "the service deletes after an hour"}.`
    }
    const make = async () => {
      const made = await service.createSandbox({ body: { name } }).catch(() => undefined)
      if (made?.value.name !== name) return undefined
      const known = keys.map((apiKey) => succeeds(createPetstoreClient({ url, apiKey, retries: 0 }).getOwnAccount()))
      if ((await Promise.all(known)).every((each) => each)) return { url, remove }
      await remove()
      return undefined
    }
    try {
      return await untilAborted(signal, make)
    } catch (error) {
      await remove()
      throw error
    }
  },
}

const succeeds = (called: Promise<unknown>): Promise<boolean> =>
  called.then(
    () => true,
    () => false,
  )
