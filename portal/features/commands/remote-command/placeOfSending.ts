import type { Place } from '#portal/app/place.ts'

/** The wizard that sends a command, with its machines chosen. */
export const placeOfSending = (machines: readonly { id: string }[]): Place => ({
  to: '/devices/remote-commands',
  search: { posIds: machines.map(({ id }) => id) },
})
