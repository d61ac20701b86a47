/** The current value of a token, for drawings that need real colours. */
export const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()
