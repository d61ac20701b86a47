import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { MapPoint } from '#contract/machines/machine.ts'
import { keyOf } from '#portal/app/api.ts'
import { spotsOfPoints, worstFirst } from './mapClusters.ts'
import { isCluster, type MapSource, type ShownArea } from './mapProps.ts'

/** A few machines need no query. */
const nothing = { queryKey: keyOf({ path: 'points' }), queryFn: () => [], enabled: false }

/** What a map shows of an area; without one, nothing. `spots` is undefined until it has loaded. */
export function useSpots(source: MapSource, area: ShownArea | undefined, closest?: number) {
  const points = 'points' in source ? source.points : undefined
  const { data, error, refetch } = useQuery('spotsIn' in source ? source.spotsIn(area) : nothing)
  const written = JSON.stringify(area)
  const known = useMemo(
    () => (points && written ? spotsOfPoints(points, JSON.parse(written) as ShownArea, closest) : undefined),
    [points, written, closest],
  )
  return { spots: points ? known : data, error, retry: () => void refetch() }
}

/** The machines that the list beside a map names, the worst first. */
export function useWorst(source: MapSource): readonly MapPoint[] | undefined {
  const points = 'points' in source ? source.points : undefined
  const { data } = useQuery('worst' in source ? source.worst() : nothing)
  return useMemo(() => {
    const rank = ({ posStatus }: MapPoint) => worstFirst.indexOf(posStatus)
    if (points) return points.toSorted((one, other) => rank(one) - rank(other))
    return data?.flatMap((spot) => (isCluster(spot) ? [] : [spot]))
  }, [points, data])
}
