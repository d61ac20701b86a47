import { Box, Button } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Transaction, transactions } from '#contract/sales/transaction.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { chargedForFailure, isFailedVend } from '#domain/sales/sale.ts'
import { queryOf } from '#portal/app/api.ts'
import { instantOf, useFormat } from '#portal/app/i18n/format.ts'
import { RecordMerchant } from '#portal/app/merchant.tsx'
import { useOpenPanel } from '#portal/app/panel.ts'
import { RefundSaleButton } from '#portal/features/sales/transaction/RefundSaleButton.tsx'
import classes from '#portal/features/sales/transaction/Transaction.module.css'
import {
  CustomerLink,
  Flags,
  isUncharged,
  MediaLink,
  machinePlace,
} from '#portal/features/sales/transaction/transactionColumns.tsx'
import { useCodeNames } from '#portal/features/sales/transaction/useCodeNames.ts'
import { DrawerPart } from '#portal/ui/dialog/DetailDrawer.tsx'
import { PanelFrame } from '#portal/ui/panel/PanelFrame.tsx'
import { panelAnswer } from '#portal/ui/panel/panelAnswer.ts'
import { When } from '#portal/ui/time/When.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { CopyId } from '#portal/ui/value/CopyId.tsx'
import { type Fact, Facts } from '#portal/ui/value/Facts.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'

/** One transaction with every field, and a link to the related one. */
export default function TransactionPanel({ id }: { id: string }) {
  const { t } = useTranslation('transaction')
  const names = useCodeNames()
  const open = useOpenPanel()
  const answer = useQuery(
    queryOf(transactions.getTransaction, { params: { merchantId: allMerchants, transactionId: id } }),
  )
  const { record: one, failure } = panelAnswer(answer)
  const original = one?.originalTransactionId
  return (
    <RecordMerchant id={one?.merchantId}>
      <PanelFrame
        title={one && (one.product ?? names.type(one.type))}
        badges={one && <Flags one={one} />}
        {...failure}
        actions={
          one &&
          (isFailedVend(one) || original) && (
            <>
              <RefundSaleButton key={one.id} sale={one} size="sm" />
              {original && (
                <Button
                  variant="default"
                  leftSection={<IconArrowBackUp size={15} aria-hidden />}
                  onClick={() => open({ kind: 'transaction', id: original })}
                >
                  {t('original.show')}
                </Button>
              )}
            </>
          )
        }
      >
        {one && <TransactionFacts one={one} />}
      </PanelFrame>
    </RecordMerchant>
  )
}

const reported = (facts: readonly Fact[]) =>
  facts.filter(({ value }) => value !== null && value !== undefined && value !== false)

/** The machine's own clock, in an unknown zone; text that is not a time is shown unchanged. */
function machineClock(text: string, format: ReturnType<typeof useFormat>) {
  const at = instantOf(text)
  return at ? format.instant(at, 'exact', 'UTC') : text
}

function TransactionFacts({ one }: { one: Transaction }) {
  const { t } = useTranslation('transaction')
  const format = useFormat()
  const names = useCodeNames()
  const { timeZone, currency } = one
  const yesNo = (is: boolean) => (is ? t('yes') : t('no'))
  return (
    <>
      <DrawerPart name={t('part.sale')}>
        <Box fz={25} fw={680} lh="34px" mb="near">
          {isUncharged(one) ? t('notCharged') : <Amount minor={one.value} currency={currency} />}
        </Box>
        <Facts
          facts={reported([
            { name: t('column.type'), value: names.type(one.type) },
            { name: t('column.product'), value: one.product },
            { name: t('fact.sentProduct'), value: one.sentProduct !== one.product && one.sentProduct },
            { name: t('fact.productCode'), value: one.productCode && <CopyId value={one.productCode} /> },
            { name: t('column.price'), value: typeof one.priceLine === 'number' && format.number(one.priceLine) },
            { name: t('fact.table'), value: one.priceTable && names.priceTable(one.priceTable) },
            // Of a failed vend, the charge has a name of its own below.
            {
              name: t('fact.charge'),
              value: chargedForFailure(one) === 0 && <Amount minor={one.valueCharge} currency={currency} />,
            },
            { name: t('fact.free'), value: yesNo(one.freeSale) },
            { name: t('fact.error'), value: yesNo(one.errorSale) },
            {
              name: t('fact.failedCharge'),
              value: chargedForFailure(one) !== 0 && <Amount minor={chargedForFailure(one)} currency={currency} />,
            },
          ])}
        />
      </DrawerPart>
      <DrawerPart name={t('part.payment')}>
        <Facts
          facts={reported([
            { name: t('fact.mediaType'), value: names.mediaType(one.mediaType) },
            { name: t('fact.mediaSource'), value: names.mediaSource(one.mediaSource) },
            { name: t('fact.paidWith'), value: names.mediaType(one.paidWith) },
            {
              name: t('column.serial'),
              value: one.isAnonymousMedia ? (
                t('anonymousMedia')
              ) : one.mediaId ? (
                <MediaLink one={one} />
              ) : (
                one.mediaSerial && <CopyId value={one.mediaSerial} />
              ),
            },
            { name: t('column.customer'), value: one.customerId && <CustomerLink one={one} /> },
            { name: t('fact.cardFile'), value: one.creditCardFileId && <CopyId value={one.creditCardFileId} /> },
            { name: t('fact.externalUser'), value: one.externalUserId && <CopyId value={one.externalUserId} /> },
          ])}
        />
      </DrawerPart>
      <DrawerPart name={t('part.times')} note={timeZone}>
        <Facts
          facts={reported([
            { name: t('fact.happened'), value: <When at={one.createdAt} as="exact" timeZone={timeZone} /> },
            { name: t('fact.saved'), value: <When at={one.savedAt} as="exact" timeZone={timeZone} /> },
            { name: t('fact.machineTime'), value: one.machineTime && machineClock(one.machineTime, format) },
          ])}
        />
      </DrawerPart>
      <DrawerPart name={t('part.machine')}>
        <Facts
          facts={reported([
            {
              name: t('column.machine'),
              value: (
                <PlaceLink place={machinePlace(one)} className={`quiet ${classes.strong}`}>
                  {one.posName}
                </PlaceLink>
              ),
            },
            { name: t('fact.serial'), value: <CopyId value={one.posSerial} /> },
            { name: t('column.merchant'), value: one.merchantName },
            { name: t('fact.id'), value: <CopyId value={one.id} isShort /> },
            {
              name: t('fact.original'),
              value: one.originalTransactionId && <CopyId value={one.originalTransactionId} isShort />,
            },
          ])}
        />
      </DrawerPart>
    </>
  )
}
