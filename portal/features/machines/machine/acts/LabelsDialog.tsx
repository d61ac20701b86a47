import { Button, Text } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type MachineRow, machines } from '#contract/machines/machine.ts'
import { machineActs } from '#contract/machines/machine-acts.ts'
import { call, pagedQueryOf } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'
import type { BulkSelection } from '#portal/ui/list/types.ts'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import classes from './Labels.module.css'
import { Labels, PrintSheet } from './Labels.tsx'

/** Maximum number of labels per print. */
export const mostLabels = 500

/** The labels of the selected machines, as they will be printed. */
export default function LabelsDialog({
  selection,
  merchantId,
  close,
}: {
  selection: BulkSelection<MachineRow>
  merchantId: string
  close: () => void
}) {
  const { t } = useTranslation('machine-act')
  const format = useFormat()
  const except = new Set(selection.kind === 'matching' ? selection.except : [])
  const answer = useQuery({
    ...pagedQueryOf(machines.listMachines, {
      params: { merchantId },
      query: {
        ...(selection.kind === 'matching' ? selection.filters : {}),
        ord: 'name',
        ordType: 'ASC',
        size: mostLabels,
      },
    }),
    enabled: selection.kind === 'matching',
  })
  const rows = selection.kind === 'rows' ? selection.items : answer.data?.items.filter(({ id }) => !except.has(id))
  const posIds = rows?.map(({ id }) => id) ?? []
  const { data: labels, ...labelled } = useQuery({
    queryKey: ['labels', merchantId, posIds],
    queryFn: ({ signal }) => call(machineActs.getMachineLabels, { params: { merchantId }, body: { posIds } }, signal),
    enabled: posIds.length > 0,
  })
  const count = labels?.length ?? 0
  const failed = answer.error ? answer : labelled.error ? labelled : undefined
  return (
    <Dialog onClose={close} title={t('labels.title')} size="xl">
      {failed && !labels ? (
        <ErrorState error={failed.error} retry={failed.refetch} isSmall />
      ) : labels ? (
        <>
          <Text my="part">{t('labels.count', { count, number: format.number(count) })}</Text>
          {/* Focusable by keyboard, since it scrolls. */}
          <div className={classes.preview} role="region" aria-label={t('labels.title')} tabIndex={0}>
            <Labels labels={labels} />
          </div>
          <Text my="part">
            <Button leftSection={<IconPrinter size={15} aria-hidden />} onClick={() => window.print()}>
              {t('labels.print')}
            </Button>
          </Text>
          <PrintSheet labels={labels} />
        </>
      ) : (
        <div className={classes.preview} aria-busy="true" />
      )}
    </Dialog>
  )
}
