// Decision: docs/decisions/storage-sqlite.md#results-pass-on-without-a-promise

/** A value or its promise. Available values are passed on synchronously, so that a request waits only where it must. */
export type Awaitable<T> = T | Promise<T>

/** Continues with a value, synchronously if it is available. `subject` saves the caller a closure. */
export const andThen = <S, T, U>(
  subject: S,
  value: Awaitable<T>,
  next: (subject: S, value: T) => Awaitable<U>,
): Awaitable<U> => (value instanceof Promise ? value.then((arrived) => next(subject, arrived)) : next(subject, value))
