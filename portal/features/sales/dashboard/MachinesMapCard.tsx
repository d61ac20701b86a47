import { Box } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Card } from '#portal/ui/page/Card.tsx'
import { WhenSeen } from '#portal/ui/page/WhenSeen.tsx'
import { lazyPart, Part } from '#portal/ui/part/lazyPart.tsx'
import classes from './Dashboard.module.css'

// The rows of machines with all their filters would be a part of the first screen.
const MachinesMap = lazyPart(async () => ({
  default: (await import('#portal/features/machines/machine/MachinesMap.tsx')).MachinesMap,
}))

/** As tall as the card of machines that need attention, without its own frame. */
const mapHeight = 380
const waiting = <Box h={mapHeight} bdrs="md" bg="var(--sunken)" />

/** The map of machines, each place in the colour of its worst machine. */
export function MachinesMapCard() {
  const { t } = useTranslation('dashboard')
  return (
    <Card title={t('where.title')} note={t('where.note')} className={classes.where}>
      <WhenSeen waiting={waiting}>
        <Part fallback={waiting}>
          <MachinesMap height={mapHeight} waiting={waiting} />
        </Part>
      </WhenSeen>
    </Card>
  )
}
