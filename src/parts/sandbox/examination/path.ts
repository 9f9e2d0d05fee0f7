/** The pages of the exam. */
export const examPath = "/exam"
