import { hash } from "node:crypto"
import net from "node:net"
import { AbstractConnector } from "ioredis"
import { noFates, type RedisFates, redisFates } from "./fates.ts"
import { runScript } from "./lua.ts"
import { createRedisData, type RedisCommands } from "./redis-data.ts"
import { bulk, createCommandReader, push } from "./resp.ts"
import type { Schedule } from "./simulate.ts"
import { Socket, systemError } from "./socket.ts"

/** One that is gone neither reads nor writes any more. */
type Session = { id: number; host: string; socket: Socket; channels: Set<string>; sent: Promise<void>; isGone: boolean }

/**
 * After a timer, Node runs what it has called with `process.nextTick`; simulated timers run together. The driver would never connect again
 * when it disconnects before the next tick after it began to connect.
 */
const { disconnect } = AbstractConnector.prototype
AbstractConnector.prototype.disconnect = function () {
  setImmediate(() => disconnect.call(this))
}

/** Longer than replicas wait. */
const lateMs = 3_000
/** Far from the clocks of the processes. */
const epochMs = Date.UTC(2030, 0, 1)

/**
 * A server that speaks the protocol of Redis on sockets in memory and runs our scripts in Lua. From `start` to `calm` the schedule
 * decides in which order it does what it is asked for, and `fates` how that fails. Until it is disposed of, every connection of this
 * process is one to it.
 */
export class SimulatedRedis {
  /** Whether anything failed since the start. */
  hasFailed = false
  /** The moments in milliseconds when it lost its data. */
  readonly losses: number[] = []
  readonly #schedule: Schedule
  readonly #scripts = new Map<string, string>()
  readonly #sessions = new Set<Session>()
  readonly #dead = new Set<string>()
  readonly #createConnection = net.createConnection
  #data: RedisCommands
  #fates = noFates()
  #isCalm = true
  #connections = 0

  constructor(schedule: Schedule) {
    this.#schedule = schedule
    this.#data = createRedisData(this.now)
    Object.assign(net, {
      createConnection: ({ host }: { host: string }) => {
        const socket = new Socket((socket) => this.#accept(socket, host))
        socket.connect()
        return socket
      },
    })
  }

  readonly now = (): number => epochMs + performance.now()

  start(fates: RedisFates): void {
    this.hasFailed = false
    this.#fates = fates
    this.#isCalm = false
  }

  calm(): void {
    this.#fates = noFates()
    this.#isCalm = true
  }

  /** Starts again without data. */
  restart(): void {
    this.#data = createRedisData(this.now)
    this.losses.push(performance.now())
    this.#failOver()
  }

  /** The process at this host ends. */
  kill(host: string): void {
    this.#dead.add(host)
    for (const session of this.#sessions) if (session.host === host) this.#cut(session)
  }

  [Symbol.dispose](): void {
    Object.assign(net, { createConnection: this.#createConnection })
  }

  async #accept(socket: Socket, host: string): Promise<void> {
    const id = ++this.#connections
    const session: Session = { id, host, socket, channels: new Set(), sent: Promise.resolve(), isGone: false }
    if (!this.#isCalm) await this.#schedule.turn(`connection ${id} of ${host}`)
    const fate = this.#fates.connections.shift() ?? "opens"
    this.hasFailed ||= fate !== "opens"
    if (socket.destroyed || fate === "is not accepted") return
    if (fate === "is refused" || this.#dead.has(host)) return void socket.destroy(systemError("ECONNREFUSED"))
    this.#sessions.add(session)
    socket.open(
      createCommandReader(),
      (command) => this.#serve(session, command),
      () => this.#end(session),
    )
  }

  /** What a client has sent is done even when it has closed the connection meanwhile. */
  async #serve(session: Session, [name = "", ...args]: string[]): Promise<void> {
    if (!this.#isCalm) await this.#schedule.turn(`${name} of ${session.host} on connection ${session.id}`)
    if (session.isGone) return
    const { isDone, reply } = redisFates[this.#nextFate(name)]
    if (reply === "late") await new Promise<void>((resolve) => setTimeout(resolve, lateMs))
    if (session.isGone) return
    const done = isDone ? this.#perform(session, name, args) : `-${reply}\r\n`
    if (reply === "cut") this.#cut(session)
    else if (reply === "none") session.isGone = true
    else if (reply === "restart") this.restart()
    else if (reply === "failover") this.#failOver()
    else session.socket.push(done)
  }

  #nextFate(name: string): keyof typeof redisFates {
    const isScript = /^(EVAL|EVALSHA|SCRIPT)$/.test(name)
    const fate = (isScript ? this.#fates.scripts : this.#fates.commands).shift() ?? "is done"
    const isAllowed = /READONLY|LOADING/.test(redisFates[fate].reply) && !isScript
    this.hasFailed ||= fate !== "is done" && !isAllowed
    return isAllowed ? "is done" : fate
  }

  #perform(session: Session, name: string, [first = "", ...rest]: string[]): string {
    if (name === "HELLO") return `%1\r\n${bulk("proto")}:3\r\n`
    if (name === "CLIENT") return "+OK\r\n"
    if (name === "INFO") return bulk("loading:0\r\n")
    if (name === "PING") return "+PONG\r\n"
    if (name === "SCRIPT") return bulk(this.#load(rest[0] ?? ""))
    if (name === "EVAL") return this.#evaluate(this.#load(first), rest)
    if (name === "EVALSHA") return this.#evaluate(first, rest)
    if (name === "PUBLISH") return this.#publish(first, rest[0] ?? "")
    if (name === "SUBSCRIBE") return [first, ...rest].map((channel) => subscribe(session, channel)).join("")
    throw new Error(`a command that the simulation does not know: ${name}`)
  }

  #load(script: string): string {
    const sha1 = hash("sha1", script)
    this.#scripts.set(sha1, script)
    return sha1
  }

  #evaluate(sha1: string, [count, ...rest]: string[]): string {
    const script = this.#scripts.get(sha1)
    if (script === undefined) return "-NOSCRIPT No matching script.\r\n"
    return runScript(script, rest.slice(0, Number(count)), rest.slice(Number(count)), this.#data)
  }

  #publish(channel: string, message: string): string {
    const subscribers = [...this.#sessions].filter(({ channels }) => channels.has(channel))
    for (const session of subscribers) session.sent = session.sent.then(() => this.#deliver(session, channel, message))
    return `:${subscribers.length}\r\n`
  }

  async #deliver(session: Session, channel: string, message: string): Promise<void> {
    if (!this.#isCalm) await this.#schedule.turn(`message to ${session.host} on connection ${session.id}`)
    const isLost = this.#fates.messages.shift() === "is lost"
    this.hasFailed ||= isLost
    if (!isLost && !session.isGone) session.socket.push(push("message", channel, message))
  }

  #failOver(): void {
    this.#scripts.clear()
    for (const session of this.#sessions) this.#cut(session)
  }

  #cut(session: Session): void {
    this.#sessions.delete(session)
    session.isGone = true
    session.socket.destroy(systemError("ECONNRESET"))
  }

  #end(session: Session): void {
    if (!session.isGone) session.socket.push(null)
    this.#sessions.delete(session)
    session.isGone = true
  }
}

function subscribe({ channels }: Session, channel: string): string {
  channels.add(channel)
  return push("subscribe", channel, channels.size)
}
