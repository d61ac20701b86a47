import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { claims } from '#contract/key-portal/claim.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { queryOf } from '#portal/app/api.ts'
import { RecordMerchant } from '#portal/app/merchant.tsx'
import { ClaimLog } from '#portal/features/key-portal/claim/ClaimLog.tsx'
import { AnswerCard, ClaimActions, ClaimCard, usePickedSale } from '#portal/features/key-portal/claim/ClaimParts.tsx'
import { claimLooks } from '#portal/features/key-portal/claim/claimLooks.ts'
import { PanelFrame } from '#portal/ui/panel/PanelFrame.tsx'
import { panelAnswer } from '#portal/ui/panel/panelAnswer.ts'
import { When } from '#portal/ui/time/When.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'

/** A claim beside the screen, with the machine's own log of that moment. */
export default function ClaimPanel({ id }: { id: string }) {
  // Another claim starts without a chosen sale.
  return <Claim key={id} id={id} />
}

function Claim({ id }: { id: string }) {
  const { t } = useTranslation('claim')
  const answer = useQuery(queryOf(claims.getClaim, { params: { merchantId: allMerchants, claimId: id } }))
  const { record: claim, failure } = panelAnswer(answer)
  const { picked, pick } = usePickedSale(claim)
  return (
    <RecordMerchant id={claim?.merchantId}>
      <PanelFrame
        title={claim && t('name', { number: claim.number })}
        badges={claim && <StatusBadge of={claimLooks} value={claim.state} />}
        actions={claim?.state === 'open' && <ClaimActions claim={claim} picked={picked} />}
        {...failure}
      >
        {claim && (
          <>
            <Text c="dimmed">
              <Amount minor={claim.amount} currency={claim.currency} /> · {claim.posName} ·{' '}
              <When at={claim.happenedAt} as="exact" timeZone={claim.timeZone} />
            </Text>
            <ClaimCard claim={claim} />
            {claim.state !== 'open' && <AnswerCard claim={claim} />}
            <ClaimLog claim={claim} picked={picked} pick={pick} />
          </>
        )}
      </PanelFrame>
    </RecordMerchant>
  )
}
