/** An error that the operator can correct; the message says what to do. */
export class CannotStart extends Error {}
