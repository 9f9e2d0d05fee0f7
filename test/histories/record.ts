/** What a request sent, or what its response had. */
export type Values = { name?: string; ifMatch?: string; etag?: string; id?: number; count?: number }

/** The status of a call that failed with the statement that nothing was changed, or was never sent. */
export const refused = 503

/** A request of a history; times are in microseconds, and `status` is 0 when the outcome is unknown. */
export type Call = {
  client: number
  kind: "pet" | "batch" | "order" | "key" | "burst" | "import" | "limit" | "event" | "delivery" | "kill"
  key: string
  do: string
  input?: Values
  output?: Values
  status: number
  start: number
  end: number
}

export type Asked = Pick<Call, "client" | "kind" | "key" | "do" | "input">

/** The time for a record, in microseconds. */
export const now = (): number => Math.round(performance.now() * 1000)

/** Statuses after which it is not known, or not said, whether anything was done. */
const isUnknown = (status: number): boolean => status >= 500

/** Whether a 503 says that nothing was changed, which the history then takes at its word. */
const outcomeOf = async (response: Response): Promise<number> =>
  response.status === refused && (await response.text()).includes("Nothing was changed.") ? refused : 0

/** Whether no process was there to receive the request. */
const isUnsent = (error: unknown): boolean =>
  [error, (error as Error).cause].some((one) => (one as NodeJS.ErrnoException | undefined)?.code === "ECONNREFUSED")

/** Records the requests of a run. */
export function createRecorder() {
  const calls: Call[] = []
  const inFlight = new Map<Call["kind"], number>()
  const count = (kind: Call["kind"], more: number) => void inFlight.set(kind, (inFlight.get(kind) ?? 0) + more)
  return {
    calls,
    /** Requests without a response yet. */
    inFlight: (): ReadonlyMap<Call["kind"], number> => new Map(inFlight),
    /** Records a request; `send` resolves with its response. Resolves with what was recorded. */
    async call(
      asked: Asked,
      send: () => Promise<Response>,
      read: (response: Response) => Promise<Values>,
    ): Promise<Call> {
      const start = now()
      let [status, output]: [number, Values] = [0, {}]
      count(asked.kind, 1)
      try {
        const response = await send()
        status = isUnknown(response.status) ? await outcomeOf(response.clone()) : response.status
        output = await read(response)
      } catch (error) {
        // The connection ended, or the response with it.
        status = isUnsent(error) ? refused : 0
      }
      count(asked.kind, -1)
      const call = { ...asked, output, status, start, end: now() }
      calls.push(call)
      return call
    },
    /** Records something that took a while, such as a kill with the restart after it. */
    async during<T>(asked: Asked, act: () => Promise<T>): Promise<T> {
      const start = now()
      const result = await act()
      calls.push({ ...asked, status: 200, start, end: now() })
      return result
    },
  }
}

export type Recorder = ReturnType<typeof createRecorder>

/** The history as lines of JSON, which the checker reads; without what was refused, so that any effect of it is impossible. */
export const toLines = (calls: readonly Call[]): string =>
  calls.map((call) => (call.status === refused ? "" : `${JSON.stringify(call)}\n`)).join("")
