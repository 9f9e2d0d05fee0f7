// Decision: docs/decisions/examiner.md#a-check-judges-one-thing-and-leaves-nothing
import { examinedBytesMax, readBody } from "../bounded-body.ts"
import { expect, Missed, Unclaimed, Unmeasured } from "../verdict.ts"
import { pathsMadeBy } from "./made.ts"

type Received = { status: number; headers: Headers; text: string }
export type Reply = Received & { request: string; address: string }

type Sending = {
  /** `undefined` for none; that of the subject by default. */
  key?: string | undefined
  headers?: Record<string, string>
  /** An object is sent as JSON. */
  body?: string | Uint8Array | object
}

/** A service that is examined by one check. At the end, what the check made there is removed. */
export type Subject = AsyncDisposable & {
  /** The address of its API, such as `http://127.0.0.1:8080/api/v3`. */
  url: string
  /** A key whose plan has few requests. */
  limitedKey: string
  /** A key that may only read pets, when there is one. */
  readerKey: string | undefined
  /** `path` may be an address of the service: the key is sent to no other origin. */
  send(method: string, path: string, sending?: Sending): Promise<Reply>
  /** The requests so far and their responses, the last ones. */
  sent(): string[]
}

/** A response that takes longer is missing, in milliseconds. */
const timeoutMs = 15_000
const shownMax = 8
const shownLength = 300

/** Once `signal` is aborted, nothing is sent but what removes. */
export type SubjectOptions = Pick<Subject, "url" | "limitedKey" | "readerKey"> & { key: string; signal?: AbortSignal }

export function openSubject({ key: ownKey, signal, ...options }: SubjectOptions): Subject {
  const { url } = options
  const log: string[] = []
  const made = new Set<string>()
  return {
    ...options,
    sent: () => log.slice(-shownMax),
    async send(method, path, sending = {}) {
      signal?.throwIfAborted()
      const { headers = {}, body } = sending
      const key = "key" in sending ? sending.key : ownKey
      const isObject = typeof body === "object" && !(body instanceof Uint8Array)
      const init = {
        method,
        headers: {
          ...(key !== undefined && { api_key: key }),
          ...(isObject && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: isObject ? JSON.stringify(body) : (body as string) }),
      }
      const line = `${method} ${path}`
      const address = /^https?:/.test(path) ? path : url + path
      if (URL.parse(address)?.origin !== new URL(url).origin)
        throw new Missed(`it leads to ${cut(address)}, which has another origin than ${url}`)
      const said = `${line}${typeof init.body === "string" ? ` ${cut(init.body)}` : ""}`
      const noteMade = (text: string) => {
        for (const one of pathsMadeBy(method, path, [Buffer.from(init.body ?? "").toString(), text])) made.add(one)
      }
      try {
        const { status, headers, text } = await request(address, init, signal)
        log.push(`${said} → ${status} ${cut(text)}`)
        if (status < 400 || status >= 500) noteMade(text)
        return { status, headers, text, request: line, address }
      } catch (error) {
        noteMade("")
        signal?.throwIfAborted()
        const { cause, message } = error as Error
        const why = cause instanceof Error ? cause.message : message
        log.push(`${said} → no response: ${why}`)
        const observed = `${line} had no response: ${why}`
        // After a crash, all other checks would be missed.
        throw isRefused(cause) ? new Unmeasured(observed) : new Missed(observed)
      }
    },
    async [Symbol.asyncDispose]() {
      const removal = { method: "DELETE", headers: { api_key: ownKey } }
      try {
        // An order before its pet.
        for (const path of [...made].reverse()) await request(url + path, removal)
      } catch {
        // A service that does not respond is not asked again.
      }
    },
  }
}

/** Whether no process listens at the address. */
const isRefused = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && cause.code === "ECONNREFUSED"

/** Rejects when there is no response in time, or one that is too long. */
async function request(address: string, init: RequestInit, ending?: AbortSignal): Promise<Received> {
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(ending ? [ending] : [])])
  const { status, headers, body } = await fetch(address, { ...init, redirect: "manual", signal })
  const text = body ? await readBody(body, examinedBytesMax) : ""
  if (text === undefined) throw new Error(`its body has more than ${examinedBytesMax} bytes`)
  return { status, headers, text }
}

const cut = (text: string): string =>
  (text.length > shownLength ? `${text.slice(0, shownLength)}…` : text).replace(/\s+/g, " ")

export function expectStatus({ status, request }: Reply, ...expected: number[]): void {
  expect(expected.includes(status), `${request} was ${status} instead of ${expected.join(" or ")}`)
}

/** A refusal: the client is at fault, not the service. */
export const expectRefusal = ({ status, request }: Reply): void =>
  expect(status >= 400 && status < 500, `${request} was ${status} instead of 4xx`)

export const expectEqual = (actual: unknown, expected: unknown, what: string): void =>
  expect(
    JSON.stringify(actual) === JSON.stringify(expected),
    `${what} was ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`,
  )

// biome-ignore lint/suspicious/noExplicitAny: the responses of any service
export function jsonOf({ text, request }: Reply): any {
  try {
    return JSON.parse(text)
  } catch {
    throw new Missed(`the response to ${request} is not JSON: ${text.slice(0, 100)}`)
  }
}

export type AnyPet = {
  id: number
  name: string
  photoUrls: string[]
  category?: { id?: number; name: string }
  tags?: { id?: number; name: string }[]
  status?: string
}

/** An id that no pet has. It is odd and above 2^24: floating point of 32 bits rounds every one of them. */
export const unusedId = (): number => 2 ** 25 + 1 + 2 * Math.floor(Math.random() * 500_000_000)

/** A pet to add. Its id is new, because not every service gives one. */
export const newPet = (more: object = {}): object => ({ id: unusedId(), name: "Rex", photoUrls: [], ...more })

/** Adds a pet, which must succeed. */
export async function addAnyPet({ send }: Subject, more: object = {}): Promise<AnyPet> {
  const reply = await send("POST", "/pet", { body: newPet(more) })
  expectStatus(reply, 200, 201)
  return jsonOf(reply)
}

/** Adds a pet for a check that is only for a service that can do so. */
export async function addPetFirst({ send }: Subject, more: object = {}): Promise<AnyPet> {
  const reply = await send("POST", "/pet", { body: newPet(more) })
  const isAdded = (reply.status === 200 || reply.status === 201) && /^\s*\{.*"id"\s*:\s*\d/s.test(reply.text)
  claim(isAdded, `a pet cannot be added: POST /pet was ${reply.status}`)
  return jsonOf(reply)
}

export async function readPet({ send }: Subject, id: number): Promise<AnyPet> {
  const reply = await send("GET", `/pet/${id}`)
  expectStatus(reply, 200)
  return jsonOf(reply)
}

/** A name that no other run uses. */
export const unusedName = (start: string): string => `${start}-${crypto.randomUUID().slice(0, 8)}`

/** The check is only for a service of which this holds. */
export function claim(holds: boolean, otherwise: string): void {
  if (!holds) throw new Unclaimed(otherwise)
}
