import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type DeadLetter, deadLetterReasons, deadLetters } from '#contract/platform/dead-letter.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useOpenDetail } from '#portal/ui/dialog/DetailDrawer.tsx'
import { anyOf, whether } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Column, Filter } from '#portal/ui/list/types.ts'
import { When } from '#portal/ui/time/When.tsx'
import { CopyId } from '#portal/ui/value/CopyId.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { DeadLetterDrawer } from './DeadLetterDrawer.tsx'
import { replayLooks, replayStateOf } from './replayState.ts'
import { useReasonName } from './useReasonName.ts'

const order = { ord: 'at', ordType: 'DESC' } as const

/** Messages of machines that could not be read, for support. */
export default function DeadLetterListScreen() {
  const { t } = useTranslation('dead-letter')
  const { key, open, close } = useOpenDetail('letter')
  const reasonName = useReasonName()
  const columns = useDeadLetterColumns()
  const filters = useMemo(
    (): Filter[] => [
      { key: 'search', kind: 'text', name: t('column.serial') },
      anyOf('reasons', t('column.reason'), deadLetterReasons, reasonName),
      anyOf('transports', t('column.transport'), ['mqtt', 'http'], (value) => value.toUpperCase()),
      whether('isReplayed', t('filter.replayed'), t('filter.told'), t('filter.notTold')),
    ],
    [t, reasonName],
  )
  return (
    <>
      <ListScreen
        id="deadLetters"
        words="dead-letter"
        row={deadLetters.listDeadLetters}
        columns={columns}
        filters={filters}
        order={order}
        exports="deadLetters"
        onOpen={({ id }) => open(id)}
      />
      <DeadLetterDrawer letterId={key} close={close} />
    </>
  )
}

function useDeadLetterColumns(): Column<DeadLetter>[] {
  const { t } = useTranslation('dead-letter')
  const format = useFormat()
  const { timeZone } = useMerchant()
  const reasonName = useReasonName()
  return useMemo(
    (): Column<DeadLetter>[] => [
      {
        id: 'reason',
        name: t('column.reason'),
        sort: true,
        isFixed: true,
        card: 'title',
        cell: ({ reason }) => reasonName(reason),
      },
      {
        id: 'state',
        name: t('column.state'),
        card: 'badge',
        cell: (letter) => <StatusBadge of={replayLooks} value={replayStateOf(letter)} />,
      },
      {
        id: 'serial',
        name: t('column.serial'),
        sort: true,
        card: 'line',
        cell: ({ serial }) => serial && <CopyId value={serial} />,
      },
      { id: 'merchant', name: t('column.merchant'), card: 'none', cell: ({ merchantName }) => merchantName },
      { id: 'kind', name: t('column.kind'), sort: true, cell: ({ kind }) => kind },
      {
        id: 'transport',
        name: t('column.transport'),
        card: 'none',
        cell: ({ transport }) => transport.toUpperCase(),
      },
      { id: 'detail', name: t('column.detail'), card: 'none', width: 320, cell: ({ detail }) => detail },
      {
        id: 'size',
        name: t('column.size'),
        align: 'end',
        card: 'none',
        cell: ({ size }) => format.number(size),
      },
      {
        id: 'at',
        name: t('column.at'),
        sort: true,
        align: 'end',
        card: 'aside',
        cell: ({ at }) => <When at={at} timeZone={timeZone} />,
      },
    ],
    [t, format, reasonName, timeZone],
  )
}
