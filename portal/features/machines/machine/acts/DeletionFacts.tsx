import { Box } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Machine } from '#contract/machines/machine.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import classes from './DeletionFacts.module.css'

/** Data deleted with a machine, and data that stay. */
export function DeletionFacts({ machine: { serial, openAlarms } }: { machine: Machine }) {
  const { t } = useTranslation('machine-act')
  const format = useFormat()
  return (
    <>
      <strong>{t('delete.goes')}</strong>
      <Box component="ul" mt="tight" mb="sm" ps="lg" className={classes.list}>
        <li>{t('delete.page')}</li>
        <li>{t('delete.connection')}</li>
        {openAlarms > 0 && <li>{t('delete.alarms', { count: openAlarms, number: format.number(openAlarms) })}</li>}
        <li>{t('delete.commands')}</li>
      </Box>
      <strong>{t('delete.stays')}</strong>
      <Box component="ul" mt="tight" mb="sm" ps="lg" className={classes.list}>
        <li>{t('delete.sales')}</li>
        <li>{t('delete.serial', { serial })}</li>
      </Box>
      <strong>{t('delete.final')}</strong>
    </>
  )
}
