import { expect } from "../../verdict.ts"
import type { ConformChapter } from "../check.ts"
import { claim, expectEqual, type Reply, type Subject } from "../subject.ts"

/** A request with the limited key, which must be a key. */
async function sendLimited({ send, limitedKey }: Subject): Promise<Reply> {
  const reply = await send("GET", "/store/inventory", { key: limitedKey })
  claim(reply.status !== 401, "the limited key is unknown")
  return reply
}

/** What a plan with limits says of itself. The last check uses the limit up. */
export const limits: ConformChapter = {
  name: "Limits",
  tasks: [
    {
      name: "says-what-is-left",
      expects: "A response to the limited key has RateLimit-Policy and RateLimit.",
      source: "ours",
      async examine(subject) {
        const { headers } = await sendLimited(subject)
        claim(headers.has("ratelimit-policy"), "it has no RateLimit-Policy")
        expect(/"\w+";q=\d+;w=\d+/.test(headers.get("ratelimit-policy") ?? ""), `${headers.get("ratelimit-policy")}`)
        expect(/"\w+";r=\d+;t=\d+/.test(headers.get("ratelimit") ?? ""), `RateLimit is ${headers.get("ratelimit")}`)
      },
    },
    {
      name: "counts-no-refusal",
      expects: "A request with an unknown credential is not counted.",
      source: "ours",
      async examine(subject) {
        const left = async () => /r=(\d+)/.exec((await sendLimited(subject)).headers.get("ratelimit") ?? "")?.[1]
        const first = await left()
        claim(first !== undefined, "it has no RateLimit")
        claim(Number(first) > 2, "the limited key has no request left")
        for (let n = 0; n < 5; n++) await subject.send("GET", "/store/inventory", { key: "unknown" })
        expectEqual(Number(await left()), Number(first) - 1, "the number of requests left")
      },
    },
    {
      name: "limits-requests",
      expects: "With the limited key, the sixty-first request of a minute is 429 with Retry-After.",
      source: "ours",
      async examine(subject) {
        claim((await subject.send("GET", "/store/inventory", { key: "unknown" })).status === 401, "it knows no keys")
        for (let n = 0; n <= 60; n++) {
          const { status, headers } = await sendLimited(subject)
          if (status !== 429) continue
          const seconds = headers.get("retry-after")
          expect(/^\d+$/.test(seconds ?? ""), `Retry-After is ${seconds}`)
          return
        }
        expect(false, "61 requests were admitted")
      },
    },
  ],
}
