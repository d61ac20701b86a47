/** The value of a token now, for drawings that want real colours. */
export const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()
