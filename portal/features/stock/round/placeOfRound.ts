import type { Place } from '#portal/app/place.ts'

export const placeOfRound = ({ id }: { id: string }): Place => ({
  to: '/devices/rounds/$roundId',
  params: { roundId: id },
})
