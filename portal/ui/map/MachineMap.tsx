import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart, Part } from '../part/lazyPart.tsx'
import { posStatusLooks } from '../value/looks.ts'
import { PlaceLink } from '../value/PlaceLink.tsx'
import { StatusBadge } from '../value/StatusBadge.tsx'
import classes from './MachineMap.module.css'
import { type MapProps, worstFirst } from './mapProps.ts'

const MapLayers = lazyPart(() => import('./MapLayers.tsx'))

/** Maximum machines named in the list beside the map. */
const mostListed = 100

/**
 * A map of machines: clusters in the colour of the worst machine, each a button; the same machines as a list at one
 * click.
 */
export function MachineMap(props: MapProps) {
  const { points, placeOf, height = 360 } = props
  const { t } = useTranslation('ui')
  const [isList, setList] = useState(false)
  const worst = [...points]
    .sort((a, b) => worstFirst.indexOf(a.posStatus) - worstFirst.indexOf(b.posStatus))
    .slice(0, mostListed)
  return (
    <div className={classes.frame} data-list={isList || undefined} style={{ height }}>
      {isList ? (
        <div className={classes.list}>
          <ul aria-label={t('map.list')}>
            {worst.map((point) => (
              <li key={point.id}>
                <StatusBadge of={posStatusLooks} value={point.posStatus} />
                <PlaceLink place={placeOf(point)} className={`${classes.link} quiet`}>
                  {point.name}
                </PlaceLink>
              </li>
            ))}
          </ul>
        </div>
      ) : points.length === 0 ? (
        <p className={classes.none}>{t('map.none')}</p>
      ) : (
        <Part>
          <MapLayers {...props} />
        </Part>
      )}
      {points.length > 0 && (
        <UnstyledButton className={`${classes.switch} inks no-print`} onClick={() => setList(!isList)}>
          {t(isList ? 'map.asMap' : 'map.asList')}
        </UnstyledButton>
      )}
    </div>
  )
}
