import { randomBytes } from "node:crypto"
import type { DecorateSending } from "../../../core/workers/delivery/sending/attempt.ts"
import type { DefectSwitch } from "../model.ts"

/** Sends messages with the defects that a sandbox has, and otherwise as `correct` does. */
export const defectiveSending =
  (defects: Pick<DefectSwitch, "ids">, correct: DecorateSending): DecorateSending =>
  (sender) => {
    const send = correct(sender)
    return async (message, signal) => {
      if (defects.ids.has("event-with-two-ids"))
        await sender.post(message.sign({ id: `evt_0_${randomBytes(6).toString("hex")}` }), signal)
      if (!defects.ids.has("signature-of-other-bytes")) return send(message, signal)
      const signed = message.sign()
      return sender.post({ ...signed, body: `${signed.body}\n` }, signal)
    }
  }
