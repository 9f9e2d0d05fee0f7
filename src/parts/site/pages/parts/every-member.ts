/** A member that a page does not show, with the reason. */
type Hidden = { readonly hidden: string }

/** Every member of `T` has an entry, so that a new member does not compile until the page decides about it. */
export type EveryMember<T, Shown extends object> = { readonly [Name in keyof T & string]-?: Shown | Hidden }

/** The entries of the members that the page shows, in their order. */
export const shownMembers = <T, Shown extends object>(members: EveryMember<T, Shown>): [name: string, Shown][] =>
  Object.entries<Shown | Hidden>(members).flatMap(([name, entry]) => ("hidden" in entry ? [] : [[name, entry]]))
