import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { claims } from '#contract/key-portal/claim.ts'
import { Columns } from '#portal/ui/page/Columns.tsx'
import { DetailScreen } from '#portal/ui/page/DetailScreen.tsx'
import { useRecord } from '#portal/ui/page/useRecord.ts'
import { When } from '#portal/ui/time/When.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { ClaimLog } from './ClaimLog.tsx'
import { AnswerCard, ClaimActions, ClaimCard, usePickedSale } from './ClaimParts.tsx'
import { claimLooks } from './claimLooks.ts'

/** A claim beside the machine's own log of that moment. */
export default function ClaimScreen() {
  const { t } = useTranslation('claim')
  const answer = useRecord(claims.getClaim, 'claimId')
  const claim = answer.data
  const { picked, pick } = usePickedSale(claim)
  return (
    <DetailScreen
      query={answer}
      merchantId={claim?.merchantId}
      title={claim && t('name', { number: claim.number })}
      aside={claim && <StatusBadge of={claimLooks} value={claim.state} />}
      subtitle={
        claim && (
          <>
            <Amount minor={claim.amount} currency={claim.currency} /> · {claim.posName} ·{' '}
            <When at={claim.happenedAt} as="exact" timeZone={claim.timeZone} />
          </>
        )
      }
      actions={claim?.state === 'open' && <ClaimActions claim={claim} picked={picked} />}
    >
      {claim && (
        <Columns of="minmax(0, 5fr) minmax(0, 7fr)" from="sm" gap="md" align="start">
          <Stack gap="md">
            <ClaimCard claim={claim} />
            {claim.state !== 'open' && <AnswerCard claim={claim} />}
          </Stack>
          <ClaimLog claim={claim} picked={picked} pick={pick} />
        </Columns>
      )}
    </DetailScreen>
  )
}
