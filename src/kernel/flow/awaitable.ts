/** A value, or the promise of one. What is at hand is passed on at once, so that a request waits only where it must. */
export type Awaitable<T> = T | Promise<T>

/** Goes on with a value: now when it is there, later when it is promised. `subject` saves the caller a closure. */
export const andThen = <S, T, U>(
  subject: S,
  value: Awaitable<T>,
  next: (subject: S, value: T) => Awaitable<U>,
): Awaitable<U> => (value instanceof Promise ? value.then((arrived) => next(subject, arrived)) : next(subject, value))
