import { Box } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Card } from '#portal/ui/page/Card.tsx'
import { lazyPart, Part } from '#portal/ui/page/lazyPart.tsx'
import classes from './Dashboard.module.css'

// The rows of machines with all their filters would be a part of the first screen.
const MachinesMap = lazyPart(async () => ({
  default: (await import('#portal/features/machines/machine/MachinesMap.tsx')).MachinesMap,
}))

/** The map of machines, each place in the colour of its worst machine. */
export function MachinesMapCard() {
  const { t } = useTranslation('dashboard')
  return (
    <Card title={t('where.title')} note={t('where.note')} className={classes.where}>
      <Part fallback={<Box h={380} bdrs="md" bg="var(--sunken)" />}>
        <MachinesMap height={mapHeight} waiting={<Box h={380} bdrs="md" bg="var(--sunken)" />} />
      </Part>
    </Card>
  )
}

/** As tall as the card of machines that need attention, without its own frame. */
const mapHeight = 380
