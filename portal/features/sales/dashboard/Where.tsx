import { useTranslation } from 'react-i18next'
import { MachinesMap } from '#portal/features/machines/machine/MachinesMap.tsx'
import { Card } from '#portal/ui/page/Card.tsx'
import classes from './Dashboard.module.css'

/** The map of machines, each place in the colour of its worst machine. */
export function Where() {
  const { t } = useTranslation('dashboard')
  return (
    <Card title={t('where.title')} note={t('where.note')} className={classes.where}>
      <MachinesMap height={mapHeight} waiting={<div className={classes.map} />} />
    </Card>
  )
}

/** As tall as the card of machines that need attention, without its own frame. */
const mapHeight = 380
