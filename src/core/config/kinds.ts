import { resolve } from "node:path"
import { isCidr } from "../kernel/network/ip-address.ts"
import { type Kind, Refusal } from "./setting.ts"

type Range = { min: number; max: number }

/** A whole number in a range; the value is the number times `unit`. */
const wholeNumber = ({ min, max }: Range, of = "", unit = 1): Kind<number> => ({
  form: `a whole number ${of}from ${min} to ${max}`,
  parse: (text) =>
    /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) * unit : new Refusal(),
})

export const integer = (range: Range) => wholeNumber(range)
/** A duration; the value is in milliseconds. */
export const seconds = (range: Range) => wholeNumber(range, "of seconds ", 1000)
export const hours = (range: Range) => wholeNumber(range, "of hours ", 60 * 60 * 1000)
export const days = ({ min, max = 3650 }: { min: number; max?: number }) => wholeNumber({ min, max }, "of days ", dayMs)
/** A size; the value is in bytes. */
export const mebibytes = wholeNumber({ min: 0, max: 999_999_999 }, "of MiB ", 1024 * 1024)
/** A port to listen on; 0 selects a free one. */
export const port = integer({ min: 0, max: 65_535 })

export const dayMs = 24 * 60 * 60 * 1000

/** A kind with an additional word that means undefined. */
export const orUndefined = <T>(kind: Kind<T>, word: string): Kind<T | undefined> => ({
  ...kind,
  form: `${word}, or ${kind.form}`,
  parse: (text) => (text.trim() === word ? undefined : kind.parse(text)),
})

export const orUnlimited = <T>(kind: Kind<T>) => orUndefined(kind, "unlimited")

/** One of a few words, each with its value. */
export const choice = <T>(words: Readonly<Record<string, T>>): Kind<T> => ({
  form: Object.keys(words).join(" or "),
  parse: (text) => (Object.hasOwn(words, text) ? (words[text] as T) : new Refusal()),
})

export const oneOf = <const T extends string>(...words: T[]): Kind<T> =>
  choice(Object.fromEntries(words.map((word) => [word, word])) as Record<T, T>)

export const onOrOff = choice({ on: true, off: false })

export const anyText: Kind<string> = { form: "a text", parse: (value) => value }

/** A path; the value is absolute. */
export const path: Kind<string> = { form: "a path", parse: (value) => homeRefusal(value) ?? resolve(value) }

/** Refuses a path that begins with `~`: only a shell replaces it, and otherwise it is the name of a directory. */
export const homeRefusal = (value: string): Refusal | undefined =>
  /^~([^/\\]*[/\\]|$)/.test(value)
    ? new Refusal({ reason: "no shell replaces ~ here; write the whole path, such as that in $HOME" })
    : undefined

/** Address blocks, separated by commas. */
export const cidrs: Kind<readonly string[]> = {
  form: "address blocks like 10.0.0.0/8, 2001:db8::/32",
  parse(value) {
    const blocks = value === "" ? [] : value.split(",").map((block) => block.trim())
    const part = blocks.find((block) => !isCidr(block))
    return part === undefined ? blocks : new Refusal({ part })
  },
}

/** Host names without ports, separated by commas; the values are in lower case. */
export const hostNames: Kind<readonly string[]> = {
  form: "host names without ports, separated by commas",
  parse(value) {
    const names = value.split(",").flatMap((name) => name.trim().toLowerCase() || [])
    const part = names.find((name) => !/^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/.test(name))
    return part === undefined ? names : new Refusal({ part })
  },
}

/** 32 bytes in base64 or base64url. */
export const key256: Kind<Uint8Array> = {
  form: "32 bytes in base64, such as from: openssl rand -base64 32",
  parse: (value) =>
    /^[A-Za-z0-9+/_-]{43}=?$/.test(value) ? Buffer.from(value, "base64") : new Refusal({ isSecret: true }),
}

/** A higher quota would need too much memory for each account. */
const quotaMax = { minute: 60_000, day: 10_000_000 }

/** Requests in a minute and in a day. */
export const quota: Kind<{ readonly minute: number; readonly day: number }> = {
  form: `like 60/minute, 1000/day with at most ${quotaMax.minute} a minute and ${quotaMax.day} a day`,
  parse(value) {
    const [, minute, day] = /^\s*(\d{1,9})\s*\/\s*min(?:ute)?\s*,\s*(\d{1,9})\s*\/\s*day\s*$/.exec(value) ?? []
    const read = { minute: Number(minute), day: Number(day) }
    const fits = (window: keyof typeof read) => read[window] >= 1 && read[window] <= quotaMax[window]
    return fits("minute") && fits("day") ? read : new Refusal()
  },
}
