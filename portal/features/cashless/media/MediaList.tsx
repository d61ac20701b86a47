import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Media, mediaColumns, mediaOrds, medias } from '#contract/cashless/media.ts'
import { ownMediaTypes } from '#contract/vocabulary/cashless.ts'
import { mediaStatuses } from '#contract/vocabulary/media.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { type CodeNames, useCodeNames } from '#portal/features/sales/transaction/useCodeNames.ts'
import { anyOf, whether } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { BulkAction, Filter } from '#portal/ui/list/types.ts'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'
import { placeOfMedia } from '../../../ui/value/placeOfMedia.ts'
import { BatchRefundDialog } from '../refund/BatchRefundDialog.tsx'
import { CreateMediaDialog } from './CreateMediaDialog.tsx'
import { mediaLooks } from './mediaLooks.ts'

const order = { ord: 'lastUsedAt', ordType: 'DESC' } as const
const placeOf = ({ id }: Media) => placeOfMedia(id)
const toneOf = ({ openFindings }: Media) => (openFindings > 0 ? 'warn' : undefined)
const hidden = 'bonusCredit reserved bonusFreeSales lastCounter origin externalService registeredAt'.split(' ')

const columnsOf = (isOfCustomer: boolean, names: CodeNames) =>
  recordColumns<Media>(mediaColumns, mediaOrds, ({ t, format }: Say) => ({
    hidden,
    lines: ['type', 'customer'],
    aside: 'credit',
    without: isOfCustomer ? ['customer'] : [],
    statuses: { mediaStatus: mediaLooks },
    looks: {
      type: { cell: ({ type }) => names.mediaType(type) },
      origin: {
        cell: ({ originType, originSerial }) =>
          [t(`vocabulary:mediaOrigin.${originType}`), originSerial].filter(Boolean).join(' '),
      },
      openFindings: {
        cell: ({ openFindings }) =>
          openFindings > 0 && (
            <Badge tone="warn" mark="triangle">
              {format.number(openFindings)}
            </Badge>
          ),
      },
    },
  }))

/** All media, or those of a customer. */
export function MediaList({ customerId }: { customerId?: string }) {
  const { t } = useTranslation(['media', 'vocabulary', 'refund'])
  const names = useCodeNames()
  const { isAll } = useMerchant()
  const columns = useMemo(() => columnsOf(customerId !== undefined, names), [customerId, names])
  const [isCreating, setCreating] = useState(false)
  const [serials, setSerials] = useState<string[]>()
  const filters = useMemo(
    (): Filter[] => [
      { key: 'search', kind: 'text', name: t('media:filter.search') },
      anyOf('statuses', t('media:field.status'), mediaStatuses, (name) => t(`vocabulary:mediaStatus.${name}`)),
      anyOf('types', t('media:field.type'), ownMediaTypes, (type) => names.mediaType(Number(type))),
      whether(
        'hasCustomer',
        t('media:field.customer'),
        t('media:filter.withCustomer'),
        t('media:filter.withoutCustomer'),
      ),
      whether(
        'hasFindings',
        t('media:field.openFindings'),
        t('media:filter.withFindings'),
        t('media:filter.withoutFindings'),
      ),
      whether(
        'hasReservations',
        t('media:field.reserved'),
        t('media:filter.withReserved'),
        t('media:filter.withoutReserved'),
      ),
    ],
    [t, names],
  )
  const bulk = useMemo(
    (): BulkAction<Media>[] =>
      isAll
        ? []
        : [
            {
              key: 'refund',
              needs: 'refund.write',
              name: t('refund:batch.do'),
              most: 500,
              run: (selection) =>
                setSerials(selection.kind === 'rows' ? selection.items.map(({ serial }) => serial) : []),
            },
          ],
    [isAll, t],
  )
  const create = useMemo(
    () => ({ name: t('media:create.do'), needs: 'media.write' as const, does: () => setCreating(true) }),
    [t],
  )
  return (
    <>
      <ListScreen
        id={customerId ? 'customerMedias' : 'medias'}
        words="media"
        row={medias.listMedias}
        totalsRow={medias.totalMedias}
        columns={columns}
        filters={filters}
        order={order}
        placeOf={placeOf}
        toneOf={toneOf}
        exports="medias"
        {...(customerId
          ? { isEmbedded: true, fixed: { customerIds: [customerId] } }
          : { bulk, ...(!isAll && { create }) })}
      />
      {isCreating && <CreateMediaDialog close={() => setCreating(false)} />}
      {serials && <BatchRefundDialog serials={serials} close={() => setSerials(undefined)} />}
    </>
  )
}
