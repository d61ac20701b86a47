import { Group, UnstyledButton } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Transaction } from '#contract/sales/transaction.ts'
import { chargedForFailure, isFailedVend } from '#domain/sales/sale.ts'
import { useFeature } from '#portal/app/feature.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { placeOfCustomer, placeOfMedia } from '#portal/features/cashless/media/placeOfMedia.ts'
import { RefundSaleButton } from '#portal/features/cashless/refund/RefundSaleButton.tsx'
import type { Column } from '#portal/ui/list/types.ts'
import { When } from '#portal/ui/time/When.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'
import classes from './Transaction.module.css'
import { useCodeNames } from './useCodeNames.ts'

export const machinePlace = ({ posId }: { posId: string }) => ({
  to: '/devices/$posId',
  params: { posId },
})

/** Whether a failed vend took no money, so that there is no amount to show. */
export const isUncharged = (one: Transaction) => isFailedVend(one) && chargedForFailure(one) === 0

const errorFlag = (one: Transaction) => (!isFailedVend(one) ? 'error' : isUncharged(one) ? 'failed' : 'charged')

/** Free and error, as badges; nothing for an ordinary sale. A failed vend says whether it was charged. */
export function Flags({ one }: { one: Transaction }) {
  const { t } = useTranslation('transaction')
  const { freeSale, errorSale } = one
  if (!freeSale && !errorSale) return null
  return (
    <Group component="span" gap="tight" display="inline-flex">
      {freeSale && (
        <Badge tone="info" mark="dot">
          {t('flag.free')}
        </Badge>
      )}
      {errorSale && (
        <Badge tone="crit" mark="triangle">
          {t(`flag.${errorFlag(one)}`)}
        </Badge>
      )}
    </Group>
  )
}

/** The serial of a transaction's medium, as a link if it is registered. */
export const MediaLink = ({ one: { mediaId, mediaSerial } }: { one: Transaction }) =>
  mediaId ? <PlaceLink place={placeOfMedia(mediaId)}>{mediaSerial ?? '–'}</PlaceLink> : mediaSerial

/** The customer who holds that medium now. */
export const CustomerLink = ({ one: { customerId, customerName } }: { one: Transaction }) =>
  customerId ? <PlaceLink place={placeOfCustomer(customerId)}>{customerName}</PlaceLink> : null

/** Columns of transactions; the machine's own page leaves the machine out. */
export function useTransactionColumns({
  isOfMachine,
  open,
}: {
  isOfMachine: boolean
  /** Opens a transaction by its id. */
  open: (id: string) => void
}) {
  const { t } = useTranslation('transaction')
  const format = useFormat()
  const names = useCodeNames()
  const { isAll } = useMerchant()
  const hasVending = useFeature('vending')
  return useMemo((): Column<Transaction>[] => {
    const machine: Column<Transaction>[] = [
      {
        id: 'machine',
        name: t('column.machine'),
        isFixed: true,
        card: 'line',
        cell: (one) => (
          <span className={`${classes.two} ${classes.inline}`}>
            <PlaceLink place={machinePlace(one)} className={classes.place}>
              {one.posName}
            </PlaceLink>
            {isAll && <span className={classes.fine}>{one.merchantName}</span>}
          </span>
        ),
      },
      {
        id: 'merchant',
        name: t('column.merchant'),
        isForAll: true,
        isHidden: true,
        card: 'none',
        cell: (one) => one.merchantName,
      },
    ]
    return [
      {
        id: 'createdAt',
        name: t('column.time'),
        sort: true,
        isFixed: true,
        width: 140,
        card: 'line',
        cell: (one) => <When at={one.createdAt} as="minute" timeZone={one.timeZone} />,
      },
      ...(isOfMachine ? [] : machine),
      {
        id: 'type',
        name: t('column.type'),
        ...(hasVending ? { card: 'none' } : { card: 'title', label: (one) => names.type(one.type) }),
        cell: (one) => names.type(one.type),
      },
      {
        id: 'product',
        name: t('column.product'),
        card: 'title',
        label: (one) => one.product || names.type(one.type),
        cell: (one) => (
          <span className={classes.two}>
            {one.product ? (
              <span className={classes.strong}>{one.product}</span>
            ) : (
              <span className={classes.fallback}>{names.type(one.type)}</span>
            )}
            {one.productCode && <span className={classes.fine}>{one.productCode}</span>}
          </span>
        ),
      },
      {
        id: 'price',
        name: t('column.price'),
        card: 'none',
        cell: (one) => (
          <span className={classes.two}>
            {typeof one.priceLine === 'number' && <span>{t('line', { number: format.number(one.priceLine) })}</span>}
            {one.priceTable && <span className={classes.fine}>{names.priceTable(one.priceTable)}</span>}
          </span>
        ),
      },
      {
        id: 'media',
        name: t('column.media'),
        card: 'line',
        cell: (one) => (
          <span className={`${classes.two} ${classes.inline}`}>
            <span>{names.mediaType(one.mediaType)}</span>
            <span className={classes.fine}>{names.mediaSource(one.mediaSource)}</span>
          </span>
        ),
      },
      {
        id: 'paidWith',
        name: t('fact.paidWith'),
        isHidden: true,
        card: 'none',
        cell: (one) => names.mediaType(one.paidWith),
      },
      {
        id: 'serial',
        name: t('column.serial'),
        isHidden: true,
        card: 'none',
        cell: (one) =>
          one.isAnonymousMedia ? (
            <span className={classes.fallback}>{t('anonymousMedia')}</span>
          ) : (
            <MediaLink one={one} />
          ),
      },
      {
        id: 'customer',
        name: t('column.customer'),
        feature: 'customerMedia',
        isHidden: true,
        card: 'none',
        cell: (one) => <CustomerLink one={one} />,
      },
      {
        id: 'flags',
        name: t('column.flags'),
        card: 'badge',
        cell: (one) => {
          const original = one.originalTransactionId
          return (
            <Group component="span" gap="tight" display="inline-flex">
              <Flags one={one} />
              <RefundSaleButton sale={one} />
              {original && (
                <UnstyledButton
                  className={classes.original}
                  aria-label={t('original.show')}
                  title={t('original.show')}
                  onClick={() => open(original)}
                >
                  <IconArrowBackUp size={16} aria-hidden />
                </UnstyledButton>
              )}
            </Group>
          )
        },
      },
      {
        id: 'savedAt',
        name: t('column.saved'),
        isHidden: true,
        align: 'end',
        card: 'none',
        cell: (one) => <When at={one.savedAt} as="minute" timeZone={one.timeZone} />,
      },
      {
        id: 'charge',
        name: t('column.charge'),
        isHidden: true,
        align: 'end',
        card: 'none',
        number: (one) => one.valueCharge,
        unit: 'money',
        currencyOf: (one) => one.currency,
        cell: (one) => <Amount minor={one.valueCharge} currency={one.currency} />,
      },
      {
        id: 'value',
        name: t('column.value'),
        align: 'end',
        isFixed: true,
        card: 'aside',
        number: (one) => one.value,
        unit: 'money',
        currencyOf: (one) => one.currency,
        cell: (one) => (isUncharged(one) ? '–' : <Amount minor={one.value} currency={one.currency} />),
      },
    ]
  }, [t, format, names, isAll, isOfMachine, hasVending, open])
}
