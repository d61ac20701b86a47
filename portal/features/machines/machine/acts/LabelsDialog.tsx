import { Box, Button, Flex, NativeSelect, Stack, Text } from '@mantine/core'
import { IconFileTypePdf } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { machines } from '#contract/machines/machine.ts'
import {
  type LabelPaper,
  type LabelReader,
  labelPapers,
  labelReaders,
  machineActs,
  staffAddress,
} from '#contract/machines/machine-acts.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { call, download, pagedQueryOf } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'
import type { BulkSelection } from '#portal/ui/list/types.ts'
import { Note } from '#portal/ui/page/Note.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import QrCode from '#portal/ui/value/QrCode.tsx'
import { Segments } from '#portal/ui/value/Segments.tsx'

/** Maximum number of labels per document. */
export const mostLabels = 500

/** The ids of the selected machines, in the order of their names where all that match a filter are selected. */
function useChosenIds(selection: BulkSelection<unknown>, merchantId: string) {
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
  const found = answer.data?.items.map(({ id }) => id).filter((id) => !except.has(id))
  return { posIds: selection.kind === 'rows' ? selection.ids : (found ?? []), answer }
}

/** Sheets and labels with the QR codes of the selected machines, as a PDF: for customers or technicians, on a paper of choice. */
export default function LabelsDialog({
  selection,
  merchantId,
  close,
}: {
  selection: BulkSelection<unknown>
  merchantId: string
  close: () => void
}) {
  const { t, i18n } = useTranslation('machine-act')
  const format = useFormat()
  const [choice, setReader] = useState<LabelReader>()
  const [paper, setPaper] = useState<LabelPaper>('a4x24')
  const { posIds, answer } = useChosenIds(selection, merchantId)
  const { data: labels, ...labelled } = useQuery({
    queryKey: ['labels', merchantId, posIds],
    queryFn: ({ signal }) => call(machineActs.getMachineLabels, { params: { merchantId }, body: { posIds } }, signal),
    enabled: posIds.length > 0,
  })
  const shown = labels?.filter(({ isPublic }) => isPublic).length ?? 0
  const reader = choice ?? (labels && shown === 0 ? 'staff' : 'customers')
  const count = reader === 'customers' ? shown : (labels?.length ?? 0)
  const without = (labels?.length ?? 0) - count
  const first = labels?.find(({ isPublic }) => reader === 'staff' || isPublic)
  const save = useMutation({
    mutationFn: () =>
      download(
        machineActs.printMachineLabels,
        { params: { merchantId }, body: { posIds, reader, paper, language: i18n.language as Language } },
        `${t('labels.title')}.pdf`,
      ),
    onError: (error) => toast.error(error),
  })
  const failed = answer.error ? answer : labelled.error ? labelled : undefined
  const many = (number: number) => ({ count: number, number: format.number(number) })
  return (
    <Dialog onClose={close} title={t('labels.title')} size="lg">
      {failed && !labels ? (
        <ErrorState error={failed.error} retry={failed.refetch} isSmall />
      ) : (
        <Stack gap="part" mt="sm" aria-busy={!labels}>
          <Flex gap="near" align="center" wrap="wrap">
            <Text span fw={550}>
              {t('labels.reader')}
            </Text>
            <Segments
              name={t('labels.reader')}
              value={reader}
              choose={setReader}
              options={labelReaders.map((value) => ({ value, label: t(`labels.readers.${value}`) }))}
            />
          </Flex>
          <Flex gap="md" align="center" mih={132}>
            <Box w={132} h={132} flex="none" bdrs="md" bg="#fff" className="clips">
              {first && (
                <QrCode
                  text={reader === 'staff' ? staffAddress(first.url) : first.url}
                  label={t('qr.picture', { url: first.url })}
                />
              )}
            </Box>
            <Text c="dimmed">{t(`labels.explain.${reader}`)}</Text>
          </Flex>
          <NativeSelect
            label={t('labels.paper')}
            data={labelPapers.map((value) => ({ value, label: t(`labels.papers.${value}`) }))}
            value={paper}
            onChange={(event) => setPaper(event.currentTarget.value as LabelPaper)}
          />
          {labels && count === 0 && <Note tone="warn">{t('labels.noPages')}</Note>}
          {count > 0 && without > 0 && <Note tone="warn">{t('labels.without', many(without))}</Note>}
          <Flex gap="md" align="center" justify="flex-end">
            {labels && <Text c="dimmed">{t('labels.count', many(count))}</Text>}
            <Button
              leftSection={<IconFileTypePdf size={15} aria-hidden />}
              disabled={count === 0}
              loading={save.isPending}
              onClick={() => save.mutate()}
            >
              {t('labels.download')}
            </Button>
          </Flex>
        </Stack>
      )}
    </Dialog>
  )
}
