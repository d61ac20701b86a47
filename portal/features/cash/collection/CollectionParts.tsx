import { Button, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconFileTypePdf, IconLockOpen, IconTag } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { type CollectionDetail, cashCollections } from '#contract/cash/collection.ts'
import { deposits } from '#contract/cash/deposit.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { isWithin } from '#domain/cash/collection-count.ts'
import { download } from '#portal/app/api.ts'
import { instantOf, useFormat } from '#portal/app/i18n/format.ts'
import { useMay } from '#portal/app/session/useMay.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { Card } from '#portal/ui/page/Card.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { Facts } from '#portal/ui/value/Facts.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import classes from './Collection.module.css'
import { useCollectionActs } from './useCollectionActs.tsx'

/** What can be done with a collection in its state. */
export function CollectionActions({ collection }: { collection: CollectionDetail }) {
  const { t, i18n } = useTranslation('cash-collection')
  const { me } = useSession()
  const { setBag, dispute, close, reopen, dialog } = useCollectionActs(collection)
  const { id: collectionId, merchantId, status, difference, tolerance, bagNumber, posName } = collection
  const mayClose = me && roleMay(me.role, 'collection.close')
  const savePdf = () =>
    download(
      cashCollections.getCashCollectionReceipt,
      { params: { merchantId, collectionId }, query: { language: i18n.language as Language } },
      `${bagNumber ?? posName}.pdf`,
    )
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconFileTypePdf size={15} aria-hidden />}
        onClick={() => void savePdf().catch(toast.error)}
      >
        {t('receipt.do')}
      </Button>
      {status !== 'closed' && (
        <Button variant="default" leftSection={<IconTag size={15} aria-hidden />} onClick={setBag}>
          {t('bag.set')}
        </Button>
      )}
      {status === 'counted' && !isWithin(difference, tolerance) && (
        <Button leftSection={<IconAlertTriangle size={15} aria-hidden />} onClick={dispute}>
          {t('dispute.do')}
        </Button>
      )}
      {mayClose && (status === 'disputed' || (status === 'counted' && isWithin(difference, tolerance))) && (
        <Button leftSection={<IconCheck size={15} aria-hidden />} onClick={close}>
          {t('close.do')}
        </Button>
      )}
      {mayClose && status === 'closed' && (
        <Button variant="default" leftSection={<IconLockOpen size={15} aria-hidden />} onClick={reopen}>
          {t('reopen.do')}
        </Button>
      )}
      {dialog}
    </>
  )
}

/** A user and a time. */
function Step({ at, by }: { at: string; by: string | null }) {
  const { t } = useTranslation('ui')
  return (
    <>
      {by ?? t('provider')} <When at={at} />
    </>
  )
}

/** The bank deposit with the money, as a link for users who may open it. */
function DepositLink({ id, reference }: { id: string; reference: string }) {
  const isOpenable = useMay(deposits.getDeposit)
  if (!isOpenable) return reference
  return <PlaceLink place={{ to: '/devices/deposits/$depositId', params: { depositId: id } }}>{reference}</PlaceLink>
}

/** Audited and transmitted amounts, and who did what. */
export function StateCard({ collection }: { collection: CollectionDetail }) {
  const { t } = useTranslation('cash-collection')
  const { currency, expected, tolerance, countedAt, disputedAt, closedAt, late, transmittedBasis } = collection
  const { comparedWith, transmittedPieces } = collection
  const { instant } = useFormat()
  const piecesAt = instantOf(transmittedPieces?.at)
  const amount = (minor: number | null) => (minor === null ? '–' : <Amount minor={minor} currency={currency} />)
  const { isWithheld, countSight, blindCounted, counted } = collection
  const figures = [
    { name: t('column.audited'), value: amount(collection.audited) },
    { name: t('column.transmitted'), value: amount(collection.transmitted) },
    { name: t('fact.expected'), value: amount(expected) },
  ]
  const facts = [
    ...(isWithheld ? [] : figures),
    { name: t('fact.tolerance'), value: amount(tolerance) },
    { name: t('fact.previous'), value: collection.previousAt && <When at={collection.previousAt} as="exact" /> },
    ...(countedAt ? [{ name: t('column.countedBy'), value: <Step at={countedAt} by={collection.countedBy} /> }] : []),
    ...(countSight ? [{ name: t('column.countSight'), value: t(`sight.${countSight}`) }] : []),
    ...(blindCounted !== null && blindCounted !== counted
      ? [{ name: t('column.blindCounted'), value: amount(blindCounted) }]
      : []),
    ...(disputedAt ? [{ name: t('fact.disputedBy'), value: <Step at={disputedAt} by={collection.disputedBy} /> }] : []),
    ...(collection.disputeReason ? [{ name: t('fact.disputeReason'), value: collection.disputeReason }] : []),
    ...(collection.deposit ? [{ name: t('column.deposit'), value: <DepositLink {...collection.deposit} /> }] : []),
    ...(closedAt ? [{ name: t('column.closedBy'), value: <Step at={closedAt} by={collection.closedBy} /> }] : []),
    ...(collection.note ? [{ name: t('column.note'), value: collection.note }] : []),
  ]
  return (
    <Card title={t('fact.title')}>
      {isWithheld && (
        <Text mb="sm" c="dimmed" fz="sm" lh="19px">
          {t('withheld')}
        </Text>
      )}
      {!collection.isAuditExact && collection.audited !== null && (
        <Text mb="sm" c="dimmed" fz="sm" lh="19px">
          {t('approximate')}
        </Text>
      )}
      {transmittedBasis && (
        <Text mb="sm" c="dimmed" fz="sm" lh="19px">
          {t(`basis.${transmittedBasis}`)}
        </Text>
      )}
      {transmittedPieces && (
        <Text mb="sm" c="dimmed" fz="sm" lh="19px">
          {t(`pieces.${transmittedPieces.from}`, {
            at: piecesAt ? instant(piecesAt, 'minute', collection.timeZone) : '–',
          })}
        </Text>
      )}
      {comparedWith && (
        <Text mb="sm" c="dimmed" fz="sm" lh="19px">
          {t(`compared.${comparedWith}`)}
        </Text>
      )}
      {late && (
        <Text mb="sm" c="dimmed" fz="sm" lh="19px">
          {t('late')} {t('column.audited')}: {amount(late.audited)}. {t('column.transmitted')}:{' '}
          {amount(late.transmitted)}.
        </Text>
      )}
      <Facts facts={facts} />
    </Card>
  )
}

/** What reported that the box was taken. */
export function SourcesCard({ collection: { sources } }: { collection: CollectionDetail }) {
  const { t } = useTranslation('cash-collection')
  if (sources.length === 0) return null
  return (
    <Card title={t('source.title')}>
      <Stack component="ul" gap="near" className={classes.sources}>
        {sources.map(({ id, source, at, by }) => (
          <Stack component="li" gap={0} key={`${source} ${id}`}>
            <span>
              {t(`source.${source}`)} {by}
            </span>
            <When at={at} as="exact" />
          </Stack>
        ))}
      </Stack>
    </Card>
  )
}
