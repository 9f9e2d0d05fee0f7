import type { Tried } from "../../domain/ports/attempts.ts"
import type { Clock } from "../../kernel/clock.ts"

/** Maximum waiting attempts, of one name and in all. Each holds a request, some 40 KiB. */
export const waitingAttemptsMax = { ofName: 16, inAll: 256 }
/** Longer than two of the longest pauses, and shorter than the timeouts of proxies. */
const patienceMs = 40_000

type Waiting = {
  from: readonly Tried[]
  /** The used share of the budgets of its places. */
  used: number
  since: number
  /** Undefined admits the attempt, a number refuses it for so many milliseconds. */
  settle(refusedMs: number | undefined): void
  fail(error: unknown): void
}

type Room = { waiting: Waiting[]; pauseMs: number; take(): Promise<number>; cancel(): void }

/** Where attempts under one name wait: `take` counts an attempt and returns 0, or returns the milliseconds until the next one. */
type Door = { take(): Promise<number>; used(): Promise<number> }

/** Runs a function later; the result cancels it. */
export type Later = (ms: number, run: () => void) => () => void

const timer: Later = (ms, run) => {
  const pending = setTimeout(run, ms).unref()
  return () => clearTimeout(pending)
}

/** Lets a bounded number of attempts wait for their turn; when it is full, those of the busiest place are refused first. */
export class Turns {
  readonly #clock: Clock
  readonly #later: Later
  readonly #rooms = new Map<string, Room>()
  #inAll = 0

  constructor(clock: Clock, later: Later = timer) {
    this.#clock = clock
    this.#later = later
  }

  async turn(name: string, from: readonly Tried[], { take, used }: Door): Promise<number | undefined> {
    let pauseMs = 0
    // Attempts that already wait go first.
    if (!this.#rooms.has(name)) {
      pauseMs = await take()
      if (pauseMs === 0) return undefined
    }
    const usedNow = await used()
    return new Promise((settle, fail) => {
      const room = this.#rooms.get(name) ?? this.#openRoom(name, take, pauseMs)
      const waiting = { from, used: usedNow, since: this.#clock.now(), settle, fail }
      room.waiting.push(waiting)
      this.#inAll++
      this.#makeRoomFor(waiting, room)
    })
  }

  /** Refuses all waiting attempts. */
  release(): void {
    for (const [name, room] of this.#rooms) {
      room.cancel()
      this.#rooms.delete(name)
      for (const waiting of [...room.waiting]) this.#refuse(room, waiting)
    }
  }

  #openRoom(name: string, take: Room["take"], pauseMs: number): Room {
    const room: Room = { waiting: [], pauseMs, take, cancel: () => undefined }
    room.cancel = this.#later(pauseMs, () => void this.#letIn(name, room))
    this.#rooms.set(name, room)
    return room
  }

  #makeRoomFor({ from }: Waiting, room: Room): void {
    for (const { name, max } of from) {
      const same = room.waiting.filter((other) => other.from.some((place) => place.name === name))
      // A place with n times the budget of the narrowest may have n waiting attempts.
      const sameMax = max / (from[0] as Tried).max
      if (same.length > sameMax) this.#refuse(room, same[0] as Waiting)
    }
    if (room.waiting.length > waitingAttemptsMax.ofName) this.#refuse(room, lastOf(room))
    if (this.#inAll <= waitingAttemptsMax.inAll) return
    const fullest = [...this.#rooms.values()].reduce((a, b) => (b.waiting.length > a.waiting.length ? b : a))
    this.#refuse(fullest, lastOf(fullest))
  }

  /** Admits the next attempt when it is time, and schedules the one after it. */
  async #letIn(name: string, room: Room): Promise<void> {
    for (const waiting of [...room.waiting])
      if (this.#clock.now() - waiting.since >= patienceMs) this.#refuse(room, waiting)
    if (room.waiting.length > 0) await this.#letNextIn(room)
    // `release` may have closed it, and another attempt opened a new one.
    if (this.#rooms.get(name) !== room) return
    if (room.waiting.length === 0) this.#rooms.delete(name)
    else room.cancel = this.#later(room.pauseMs, () => void this.#letIn(name, room))
  }

  async #letNextIn(room: Room): Promise<void> {
    try {
      room.pauseMs = await room.take()
      const [next] = inOrder(room)
      if (room.pauseMs > 0 || !next) return
      this.#leave(room, next)
      next.settle(undefined)
    } catch (error) {
      for (const waiting of [...room.waiting]) {
        this.#leave(room, waiting)
        waiting.fail(error)
      }
    }
  }

  #refuse(room: Room, waiting: Waiting): void {
    this.#leave(room, waiting)
    waiting.settle(Math.max(1, room.pauseMs))
  }

  #leave(room: Room, waiting: Waiting): void {
    room.waiting.splice(room.waiting.indexOf(waiting), 1)
    this.#inAll--
  }
}

/** The fewest attempts first, and of equals the newest, so that a burst does not lock others out. */
const inOrder = ({ waiting }: Room): Waiting[] => waiting.toReversed().toSorted((a, b) => a.used - b.used)
const lastOf = (room: Room): Waiting => inOrder(room).at(-1) as Waiting
