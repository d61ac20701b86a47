/** An instant as it goes over the wire: UTC, ISO 8601, without a zone. */
export const toWire = (at: Date): string => at.toISOString().slice(0, -1)

/** The same for what may never have happened. */
export const toWireOrNull = (at: Date | null): string | null => (at === null ? null : toWire(at))

/** An instant from the wire; a suffix is accepted, none means UTC. */
export const fromWire = (text: string): Date => new Date(/Z|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`)
