import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Transaction, transactions } from '#contract/sales/transaction.ts'
import { dayIn, periodOn } from '#domain/time/period.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFeature } from '#portal/app/feature.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import type { Place } from '#portal/app/place.ts'
import { Flags, isUncharged } from '#portal/features/sales/transaction/transactionColumns.tsx'
import { useCodeNames } from '#portal/features/sales/transaction/useCodeNames.ts'
import { DrawerPart } from '#portal/ui/dialog/DetailDrawer.tsx'
import { PanelLine, PanelLines } from '#portal/ui/panel/PanelLines.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { useNow, When } from '#portal/ui/time/When.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'

interface Props {
  /** Whose transactions: a machine's or a medium's. */
  machineId?: string
  mediaId?: string
  /** All of them. */
  place: Place
}

/** The last five transactions of seven days, in a panel. */
export function LastSales({ machineId, mediaId, place }: Props) {
  const { t } = useTranslation(['panel', 'transaction'])
  const { id: merchantId, timeZone } = useMerchant()
  const query = {
    ...periodOn('last7Days', dayIn(useNow(), timeZone)),
    ...(machineId && { posIds: [machineId] }),
    ...(mediaId && { mediaIds: [mediaId] }),
    ord: 'createdAt',
    ordType: 'DESC',
    page: 1,
    size: 5,
  } as const
  const { data, error, refetch } = useQuery(queryOf(transactions.listTransactions, { params: { merchantId }, query }))
  return (
    <DrawerPart
      name={
        <PlaceLink place={place} className="quiet inks">
          {t('panel:lastSales')}
        </PlaceLink>
      }
    >
      {error && !data ? (
        <ErrorState isSmall error={error} retry={refetch} />
      ) : data ? (
        <PanelLines none={t('panel:noSales')}>
          {data.items.map((one) => (
            <Line key={one.id} one={one} hasMachine={machineId === undefined} />
          ))}
        </PanelLines>
      ) : (
        <div style={{ minHeight: 48 }} aria-busy="true" />
      )}
    </DrawerPart>
  )
}

function Line({ one, hasMachine }: { one: Transaction; hasMachine: boolean }) {
  const names = useCodeNames()
  const hasDetails = useFeature('transactionDetails')
  const name = one.product ?? names.type(one.type)
  return (
    <PanelLine
      title={
        hasDetails ? (
          <PlaceLink place={{ to: '/transactions/data', search: { transaction: one.id } }} className="quiet">
            {name}
          </PlaceLink>
        ) : (
          name
        )
      }
      aside={isUncharged(one) ? '–' : <Amount minor={one.value} currency={one.currency} />}
      note={
        <>
          {[hasMachine && one.posName, names.mediaType(one.mediaType)].filter(Boolean).join(' · ')} ·{' '}
          <When at={one.createdAt} timeZone={one.timeZone} /> <Flags one={one} />
        </>
      }
    />
  )
}
