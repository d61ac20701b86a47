import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Refund, refundColumns, refundOrds, refunds } from '#contract/cashless/refund.ts'
import { saleTerms } from '#contract/sales/terms.ts'
import { refundKinds, refundStates } from '#contract/vocabulary/cashless.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useClientFilter } from '#portal/features/merchants/client/useClientFilter.ts'
import { useGroupOptions } from '#portal/features/merchants/group/useGroupOptions.ts'
import { anyKnown, anyOf, oneOf } from '#portal/ui/list/filters/filters.ts'
import { useMachineFilter } from '#portal/ui/list/filters/useMachineFilter.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { refundLooks } from '../media/mediaLooks.ts'
import { BatchRefundDialog } from './BatchRefundDialog.tsx'

const order = { ord: 'createdAt', ordType: 'DESC' } as const
const none: string[] = []

const columns = (isOfMedia: boolean) =>
  recordColumns<Refund>(refundColumns, refundOrds, {
    title: 'mediaSerial',
    aside: 'amount',
    lines: ['createdAt', 'kind'],
    hidden: ['transactionAt', 'collectedAt', 'transactionId', 'batchId'],
    without: isOfMedia ? ['mediaSerial'] : [],
    statuses: { refundState: refundLooks },
    looks: {
      createdAt: { align: undefined, isFixed: true },
      mediaSerial: { isFixed: undefined, label: ({ mediaSerial }) => mediaSerial },
    },
  })
const ofAll = columns(false)
const ofMedia = columns(true)

/** Refunds of all media, or of one. */
export function RefundList({ mediaId }: { mediaId?: string }) {
  const { t } = useTranslation(['refund', 'vocabulary', 'ui'])
  const { isAll } = useMerchant()
  const [isOpen, setOpen] = useState(false)
  const groups = useGroupOptions()
  const machine = useMachineFilter(t('refund:field.machine'))
  const client = useClientFilter('clientIds')
  const filters = useMemo(
    (): Filter[] => [
      ...(mediaId ? [] : [{ key: 'search', kind: 'text', name: t('refund:filter.search') } as const]),
      { key: 'period', kind: 'period', name: t('refund:filter.period') },
      anyOf('states', t('refund:field.state'), refundStates, (state) => t(`vocabulary:refundState.${state}`)),
      anyOf('kinds', t('refund:field.kind'), refundKinds, (kind) => t(`vocabulary:refundKind.${kind}`)),
      ...(mediaId
        ? []
        : [
            ...anyKnown('groupIds', t('refund:field.group'), groups),
            ...(client.options?.length !== 0 ? [client] : []),
            machine,
            oneOf('terms', t('refund:filter.terms'), saleTerms, (one) => t(`refund:terms.${one}`)),
          ]),
    ],
    [t, mediaId, groups, client, machine],
  )
  const create = useMemo(
    () => ({ name: t('refund:batch.do'), needs: 'refund.write' as const, does: () => setOpen(true) }),
    [t],
  )
  return (
    <>
      <ListScreen
        id={mediaId ? 'mediaRefunds' : 'refunds'}
        words="refund"
        row={refunds.listRefunds}
        columns={mediaId ? ofMedia : ofAll}
        filters={filters}
        order={order}
        exports="refunds"
        {...(mediaId ? { isEmbedded: true, fixed: { mediaIds: [mediaId] } } : !isAll && { create })}
      />
      {isOpen && <BatchRefundDialog serials={none} close={() => setOpen(false)} />}
    </>
  )
}
