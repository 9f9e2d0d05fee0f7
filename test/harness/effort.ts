/** How often to repeat what gains from repetition: all of it under CI, a taste of it on a developer's machine. */
export const effort = (full: number, taste: number): number => (process.env.CI ? full : taste)
