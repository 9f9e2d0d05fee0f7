import { html, type Markup } from "../html.ts"

/** The service's clock, as a visit has it, and how far another one, to which times belong, is ahead of it. */
type Clocked = { service: { now(): number }; aheadMs?: number }

/** A timestamp (RFC 3339) in UTC, to the second. */
export const timeTag = (at: string): Markup => html`<time datetime="${at}">${inUtc(at)}</time>`

/**
 * How long ago a time is, or how far in the future, with the exact time on hover. The page's script keeps it current.
 * `otherwise` stands for an absent time.
 */
export const timeAgo = (clocked: Clocked, at: string | undefined, otherwise = ""): Markup | string =>
  at === undefined
    ? otherwise
    : html`<time datetime="${at}" title="${inUtc(at)}" data-ago${clocked.aheadMs !== undefined && html`="${clocked.aheadMs}"`}>${distance(clocked, at)}</time>`

/** The exact time, followed by how long ago it is: for pages of one resource, where nothing is left to hover. */
export const timeWithAge = (clocked: Clocked, at: string | undefined, otherwise = ""): Markup | string =>
  at === undefined
    ? otherwise
    : html`${timeTag(at)} <span class="soft age">(<time datetime="${at}" data-ago>${distance(clocked, at)}</time>)</span>`

export const inUtc = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`

/** What happened after a page has read the clock, which is while it is made, is not in the future. */
const makingMs = 500

function distance({ service, aheadMs = 0 }: Clocked, at: string): string {
  const ms = Date.parse(at) - service.now() - aheadMs
  return ms > makingMs ? `in ${inWords(ms)}` : `${inWords(-ms)} ago`
}

/** Also in `assets/console/live.js`, which keeps the times of an open page current. */
const units = [
  { word: "year", ms: 31_557_600_000, least: 2 },
  { word: "day", ms: 86_400_000, least: 2 },
  { word: "hour", ms: 3_600_000, least: 1.5 },
  { word: "minute", ms: 60_000, least: 1 },
  { word: "second", ms: 1000, least: 0 },
] as const

/** Formats a duration approximately, in the largest unit of which there are at least two, one and a half hours, or one minute. */
export function inWords(ms: number): string {
  const { word, ms: size } = units.find((unit) => ms >= unit.least * unit.ms) ?? units[4]
  const count = Math.max(1, Math.round(ms / size))
  return `${count} ${word}${count === 1 ? "" : "s"}`
}
