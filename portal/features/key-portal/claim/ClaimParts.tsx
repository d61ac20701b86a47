import { Button, Text } from '@mantine/core'
import { IconCashBanknote, IconMessageReply, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ClaimDetails, claims } from '#contract/key-portal/claim.ts'
import { saleOfClaim } from '#domain/key-portal/claim.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMay } from '#portal/app/session/useMay.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { Facts } from '#portal/ui/value/Facts.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { placeOfMedia } from '#portal/ui/value/placeOfMedia.ts'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { AnswerDialog } from './AnswerDialog.tsx'
import classes from './Claim.module.css'
import { claimLooks } from './claimLooks.ts'
import { RefundDialog } from './RefundDialog.tsx'

/** The sale that a claim is about, until the user chooses another one, or none. */
export function usePickedSale(claim: ClaimDetails | undefined) {
  const [choice, choose] = useState<string | null>()
  const meant =
    choice === undefined ? (claim?.transactionId ?? (claim && saleOfClaim(claim)?.id)) : (choice ?? undefined)
  return {
    picked: claim?.state === 'open' ? meant : (claim?.transactionId ?? undefined),
    pick: (id: string | undefined) => choose(id ?? null),
  }
}

/** Refund, refusal and answer, for users who may refund. */
export function ClaimActions({ claim, picked }: { claim: ClaimDetails; picked: string | undefined }) {
  const { t } = useTranslation('claim')
  const format = useFormat()
  const [open, setOpen] = useState<'refund' | 'refused' | 'answered'>()
  const mayRefund = useMay(claims.refundClaim)
  if (!mayRefund) return null
  const close = () => setOpen(undefined)
  const hasMedium = claim.medias.some(({ isBlocked }) => !isBlocked)
  const refundable = claim.log.find(({ id }) => id === picked)?.refundable ?? claim.amount
  return (
    <>
      <Button variant="subtle" leftSection={<IconX size={15} aria-hidden />} onClick={() => setOpen('refused')}>
        {t('close.refuse')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconMessageReply size={15} aria-hidden />}
        onClick={() => setOpen('answered')}
      >
        {t('close.answer')}
      </Button>
      <Button
        leftSection={<IconCashBanknote size={15} aria-hidden />}
        disabled={!hasMedium}
        onClick={() => setOpen('refund')}
      >
        {t('refund.do', { amount: format.money(Math.min(claim.amount, refundable), claim.currency) })}
      </Button>
      {!hasMedium && (
        <Text span c="dimmed" fz="sm">
          {t(claim.medias.length > 0 ? 'refund.blocked' : 'refund.noMedia')}
        </Text>
      )}
      {open === 'refund' && <RefundDialog claim={claim} transactionId={picked} close={close} />}
      {(open === 'refused' || open === 'answered') && <AnswerDialog claim={claim} state={open} close={close} />}
    </>
  )
}

/** What the customer wrote, and what is known of it. */
export function ClaimCard({ claim }: { claim: ClaimDetails }) {
  const { t } = useTranslation('claim')
  const { customerId, mediaId, mediaSerial, timeZone } = claim
  const facts = [
    {
      name: t('field.machine'),
      value: <PlaceLink place={{ to: '/devices/$posId', params: { posId: claim.posId } }}>{claim.posName}</PlaceLink>,
    },
    ...(claim.selection ? [{ name: t('field.selection'), value: claim.selection }] : []),
    { name: t('field.amount'), value: <Amount minor={claim.amount} currency={claim.currency} /> },
    { name: t('field.paidBy'), value: t(`payment.${claim.paidBy}`) },
    ...(mediaId
      ? [{ name: t('field.media'), value: <PlaceLink place={placeOfMedia(mediaId)}>{mediaSerial}</PlaceLink> }]
      : []),
    ...(customerId
      ? [
          {
            name: t('field.customer'),
            value: (
              <PlaceLink place={{ to: '/customers-medias/customers/$customerId', params: { customerId } }}>
                {claim.customerName}
              </PlaceLink>
            ),
          },
        ]
      : []),
    ...(claim.contact ? [{ name: t('field.contact'), value: claim.contact }] : []),
    { name: t('field.happenedAt'), value: <When at={claim.happenedAt} as="exact" timeZone={timeZone} /> },
    { name: t('field.createdAt'), value: <When at={claim.createdAt} as="exact" timeZone={timeZone} /> },
    ...(claim.openedBy ? [{ name: t('field.openedBy'), value: claim.openedBy }] : []),
  ]
  return (
    <Card title={t('part.claim')} note={claim.earlier > 0 ? t('earlier', { count: claim.earlier }) : undefined}>
      <blockquote className={classes.text}>{claim.text}</blockquote>
      <Facts facts={facts} />
    </Card>
  )
}

/** How it ended. */
export function AnswerCard({ claim }: { claim: ClaimDetails }) {
  const { t } = useTranslation(['claim', 'ui'])
  const { refundedAmount, answeredAt } = claim
  const facts = [
    { name: t('claim:field.state'), value: <StatusBadge of={claimLooks} value={claim.state} /> },
    ...(refundedAmount !== null
      ? [{ name: t('claim:field.refunded'), value: <Amount minor={refundedAmount} currency={claim.currency} /> }]
      : []),
    {
      name: t('claim:field.answeredAt'),
      value: answeredAt && <When at={answeredAt} as="exact" timeZone={claim.timeZone} />,
    },
    { name: t('claim:field.answeredBy'), value: claim.answeredBy ?? t('ui:provider') },
  ]
  return (
    <Card title={t('claim:part.answer')}>
      {claim.answer && <blockquote className={classes.text}>{claim.answer}</blockquote>}
      <Facts facts={facts} />
    </Card>
  )
}
