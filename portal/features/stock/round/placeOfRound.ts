import type { Place } from '#portal/ui/list/types.ts'

export const placeOfRound = ({ id }: { id: string }): Place => ({
  to: '/devices/rounds/$roundId',
  params: { roundId: id },
})
