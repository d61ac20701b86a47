import { useTranslation } from 'react-i18next'
import { MachinesMap } from '#portal/features/machines/machine/MachinesMap.tsx'
import { Card } from '#portal/ui/page/Card.tsx'
import classes from './Dashboard.module.css'

/** Where the machines stand, in the colour of the worst of each place. */
export function Where() {
  const { t } = useTranslation('dashboard')
  return (
    <Card title={t('where.title')} note={t('where.note')} className={classes.where}>
      <MachinesMap height={mapHeight} waiting={<div className={classes.map} />} />
    </Card>
  )
}

/** As high as the card of what needs somebody, less its own frame. */
const mapHeight = 380
