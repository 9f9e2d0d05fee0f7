/** A reason not to start that a person can remove; the message says what it is and what to do about it. */
export class CannotStart extends Error {}
