import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type DeadLetter,
  deadLetterColumns,
  deadLetterOrds,
  deadLetterReasons,
  deadLetters,
} from '#contract/platform/dead-letter.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useOpenDetail } from '#portal/ui/dialog/DetailDrawer.tsx'
import { anyOf, whether } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { When } from '#portal/ui/time/When.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { DeadLetterDrawer } from './DeadLetterDrawer.tsx'
import { replayLooks, replayStateOf } from './replayState.ts'
import { useReasonName } from './useReasonName.ts'

const order = { ord: 'at', ordType: 'DESC' } as const

const columnsOf = (reasonName: (reason: string) => string, timeZone: string) =>
  recordColumns<DeadLetter>(deadLetterColumns, deadLetterOrds, {
    aside: 'at',
    lines: ['serial'],
    offCards: ['merchant', 'transport', 'detail', 'size'],
    looks: {
      reason: { cell: ({ reason }) => reasonName(reason) },
      state: { card: 'badge', cell: (letter) => <StatusBadge of={replayLooks} value={replayStateOf(letter)} /> },
      merchant: { isForAll: false },
      transport: { cell: ({ transport }) => transport.toUpperCase() },
      detail: { width: 320 },
      size: { number: undefined },
      at: { cell: ({ at }) => <When at={at} timeZone={timeZone} /> },
    },
  })

/** Messages of machines that could not be read, for support. */
export default function DeadLetterListScreen() {
  const { t } = useTranslation('dead-letter')
  const { key, open, close } = useOpenDetail('letter')
  const reasonName = useReasonName()
  const { timeZone } = useMerchant()
  const columns = useMemo(() => columnsOf(reasonName, timeZone), [reasonName, timeZone])
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
