import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart, Part } from '../part/lazyPart.tsx'
import { posStatusLooks } from '../value/looks.ts'
import { PlaceLink } from '../value/PlaceLink.tsx'
import { StatusBadge } from '../value/StatusBadge.tsx'
import classes from './MachineMap.module.css'
import type { MapProps } from './mapProps.ts'
import { useWorst } from './useSpots.ts'

const MapLayers = lazyPart(() => import('./MapLayers.tsx'))

/**
 * A map of machines: clusters in the colour of the worst machine, each a button; the worst machines as a list at one
 * click.
 */
export function MachineMap(props: MapProps) {
  const { placeOf, source, height = 360 } = props
  const { t } = useTranslation('machine-map')
  const [isList, setList] = useState(false)
  return (
    <div className={classes.frame} data-list={isList || undefined} style={{ height }}>
      {isList ? (
        <WorstMachines source={source} placeOf={placeOf} />
      ) : (
        <Part>
          <MapLayers {...props} />
        </Part>
      )}
      <UnstyledButton className={`${classes.switch} inks no-print`} onClick={() => setList(!isList)}>
        {t(isList ? 'asMap' : 'asList')}
      </UnstyledButton>
    </div>
  )
}

function WorstMachines({ source, placeOf }: Pick<MapProps, 'source' | 'placeOf'>) {
  const { t } = useTranslation('machine-map')
  const worst = useWorst(source)
  return (
    <div className={classes.list} aria-busy={!worst}>
      <ul aria-label={t('list')}>
        {worst?.map((point) => (
          <li key={point.id}>
            <StatusBadge of={posStatusLooks} value={point.posStatus} />
            <PlaceLink place={placeOf(point)} className={`${classes.link} quiet`}>
              {point.name}
            </PlaceLink>
          </li>
        ))}
      </ul>
    </div>
  )
}
