import { Group, UnstyledButton } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type Transaction, transactionColumns, transactionOrds } from '#contract/sales/transaction.ts'
import { chargedForFailure, isFailedVend } from '#domain/sales/sale.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { RefundSaleButton } from '#portal/features/sales/transaction/RefundSaleButton.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { placeOfCustomer, placeOfMedia } from '#portal/ui/value/placeOfMedia.ts'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'
import classes from './Transaction.module.css'
import type { CodeNames } from './useCodeNames.ts'

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

interface TransactionColumnOptions {
  isOfMachine: boolean
  /** Without vending, transactions have no product: their type is their name. */
  hasVending: boolean
  names: CodeNames
  /** Opens a transaction by its id. */
  open: (id: string) => void
}

/** Columns of transactions; the machine's own page leaves the machine out. */
export const columnsOf = ({ isOfMachine, hasVending, names, open }: TransactionColumnOptions) =>
  recordColumns<Transaction>(transactionColumns, transactionOrds, ({ t, format }: Say) => ({
    title: hasVending ? 'product' : 'type',
    aside: 'value',
    lines: ['createdAt', 'machine', 'media'],
    hidden: ['merchant', 'paidWith', 'serial', 'customer', 'savedAt', 'charge'],
    offCards: ['price', ...(hasVending ? ['type'] : [])],
    without: isOfMachine ? ['machine', 'merchant'] : [],
    looks: {
      createdAt: { isFixed: true, width: 140 },
      machine: { isFixed: true, cell: (one) => <Machine one={one} /> },
      type: { cell: ({ type }) => names.type(type) },
      product: {
        isFixed: undefined,
        label: ({ product, type }) => product || names.type(type),
        cell: (one) => <Product one={one} names={names} />,
      },
      price: {
        align: undefined,
        number: undefined,
        cell: ({ priceLine, priceTable }) => (
          <span className={classes.two}>
            {typeof priceLine === 'number' && (
              <span>{t('transaction:line', { number: format.number(priceLine) })}</span>
            )}
            {priceTable && <span className={classes.fine}>{names.priceTable(priceTable)}</span>}
          </span>
        ),
      },
      media: {
        cell: ({ mediaType, mediaSource }) => (
          <span className={`${classes.two} ${classes.inline}`}>
            <span>{names.mediaType(mediaType)}</span>
            <span className={classes.fine}>{names.mediaSource(mediaSource)}</span>
          </span>
        ),
      },
      paidWith: { cell: ({ paidWith }) => names.mediaType(paidWith) },
      serial: {
        cell: (one) =>
          one.isAnonymousMedia ? (
            <span className={classes.fallback}>{t('transaction:anonymousMedia')}</span>
          ) : (
            <MediaLink one={one} />
          ),
      },
      flags: { card: 'badge', cell: (one) => <Acts one={one} open={open} /> },
      savedAt: { align: 'end' },
      value: {
        isFixed: true,
        cell: (one) => (isUncharged(one) ? '–' : <Amount minor={one.value} currency={one.currency} />),
      },
    },
  }))

/** A link to the machine, with its merchant below under all merchants. */
function Machine({ one }: { one: Transaction }) {
  const { isAll } = useMerchant()
  return (
    <span className={`${classes.two} ${classes.inline}`}>
      <PlaceLink place={machinePlace(one)} className="quiet">
        {one.posName}
      </PlaceLink>
      {isAll && <span className={classes.fine}>{one.merchantName}</span>}
    </span>
  )
}

const Product = ({ one: { product, productCode, type }, names }: { one: Transaction; names: CodeNames }) => (
  <span className={classes.two}>
    {product ? (
      <span className={classes.strong}>{product}</span>
    ) : (
      <span className={classes.fallback}>{names.type(type)}</span>
    )}
    {productCode && <span className={classes.fine}>{productCode}</span>}
  </span>
)

/** What is special about a sale, its refund, and the way to the sale that it reverses. */
function Acts({ one, open }: { one: Transaction; open: (id: string) => void }) {
  const { t } = useTranslation('transaction')
  const original = one.originalTransactionId
  return (
    <Group component="span" gap="tight" display="inline-flex">
      <Flags one={one} />
      <RefundSaleButton sale={one} isBrief />
      {original && (
        <UnstyledButton
          className={`${classes.original} lights inks`}
          aria-label={t('original.show')}
          title={t('original.show')}
          onClick={() => open(original)}
        >
          <IconArrowBackUp size={16} aria-hidden />
        </UnstyledButton>
      )}
    </Group>
  )
}
