import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type MapPoint, machines } from '#contract/machines/machine.ts'
import { pagedQueryOf } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { lazyPart, Part } from '#portal/ui/part/lazyPart.tsx'
import { placeOfMachine, placeOfMachines } from './places.ts'

const MachineMap = lazyPart(
  async () => ({ default: (await import('#portal/ui/map/MachineMap.tsx')).MachineMap }),
  ['vocabulary'],
)

interface Look {
  height: number
  /** Maximum initial zoom: a single machine needs its surroundings. */
  closest?: number
  /** Shown until the map has loaded. */
  waiting?: ReactNode
}

/** Machines on a map: each leads to its page, machines at one place to their list. */
export const PointsMap = ({ points, waiting, ...look }: Look & { points: readonly MapPoint[] }) => (
  <Part fallback={waiting}>
    <MachineMap points={points} placeOf={placeOfMachine} placeOfMany={placeOfMachines} {...look} />
  </Part>
)

/** The merchant's machines on a map, filtered if filters are given. */
export function MachinesMap({ filter, ...look }: Look & { filter?: Record<string, unknown> }) {
  const merchant = useMerchant()
  const input = { params: { merchantId: merchant.id }, query: filter }
  const { data, error, refetch } = useQuery(pagedQueryOf(machines.mapMachines, input))
  if (error && !data) return <ErrorState error={error} retry={refetch} />
  return data ? <PointsMap points={data} {...look} /> : look.waiting
}
