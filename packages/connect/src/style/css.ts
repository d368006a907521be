/** Marks a text as a style sheet, for editors and for what makes the standalone file smaller. */
export const css = String.raw
