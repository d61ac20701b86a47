import { Box, Stack, Text } from '@mantine/core'
import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import type { MachineLabel } from '#contract/machines/machine-acts.ts'
import QrCode from '#portal/ui/value/QrCode.tsx'
import classes from './Labels.module.css'

/** Labels of 70 by 37 mm, on a sheet of 24. */
export function Labels({ labels }: { labels: readonly MachineLabel[] }) {
  const { t } = useTranslation('machine-act')
  return (
    <div className={classes.labels}>
      {labels.map(({ id, url, name, serial, merchantName }) => (
        <div key={id} className={classes.label}>
          <Box w="31mm" h="31mm">
            <QrCode text={url} label={t('qr.picture', { url })} />
          </Box>
          <Stack gap="1mm" miw={0} fz="9pt" lh="1.25" className={classes.said}>
            <strong className={classes.name}>{name}</strong>
            <Text span ff="ui-monospace, monospace" fz="8.5pt" className="breaks">
              {serial}
            </Text>
            <Text span truncate fz="7.5pt">
              {merchantName}
            </Text>
          </Stack>
        </div>
      ))}
    </div>
  )
}

/** Printed in place of the screen while it is mounted. */
export function PrintSheet({ labels }: { labels: readonly MachineLabel[] }) {
  useEffect(() => {
    document.documentElement.dataset.printing = 'labels'
    return () => {
      delete document.documentElement.dataset.printing
    }
  }, [])
  return createPortal(
    <div className={classes.sheet} data-print-sheet aria-hidden>
      <Labels labels={labels} />
    </div>,
    document.body,
  )
}
