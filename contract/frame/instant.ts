/** An instant on the wire: UTC, ISO 8601, without a zone. */
export const toWire = (at: Date): string => at.toISOString().slice(0, -1)

/** The same, or null. */
export const toWireOrNull = (at: Date | null): string | null => (at === null ? null : toWire(at))

/** An instant from the wire. A suffix is accepted; without one it is UTC. */
export const fromWire = (text: string): Date => new Date(/Z|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`)
