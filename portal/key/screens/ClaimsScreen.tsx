import { IconMessageReport } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ClaimState } from '#contract/key-portal/claim.ts'
import { customerClaims } from '#contract/key-portal/customer-claim.ts'
import { useAnswer } from '../app/api.ts'
import { Answer } from '../ui/Failure.tsx'
import { Page } from '../ui/Page.tsx'
import { Badge, ButtonLink, Card, Empty, type Tone } from '../ui/parts.tsx'
import { Amount, useWhen } from '../ui/values.tsx'

const tones = {
  open: 'info',
  refunded: 'ok',
  refused: 'crit',
  answered: 'mute',
} as const satisfies Record<ClaimState, Tone>

/** The customer's claims with their numbers, states and answers. */
export function ClaimsScreen() {
  const { t } = useTranslation('key-app')
  const when = useWhen()
  const claims = useAnswer(customerClaims.listOwnClaims)
  return (
    <Page title={t('claim.mine')} back="/help">
      <Answer answer={claims}>
        {(items) =>
          items.length === 0 ? (
            <Empty icon={<IconMessageReport aria-hidden />} title={t('claim.none')}>
              <p>{t('claim.noneText')}</p>
              <ButtonLink to="/pay">{t('scan.titleMachine')}</ButtonLink>
            </Empty>
          ) : (
            items.map((claim) => (
              <Card key={claim.id}>
                <header className="heading">
                  <h2>{t('claim.number', { number: claim.number })}</h2>
                  <Badge tone={tones[claim.state]}>{t(`claim.state.${claim.state}`)}</Badge>
                </header>
                <div>
                  <p>
                    <Amount minor={claim.amount} currency={claim.currency} /> · {claim.machineName}
                  </p>
                  <p className="hint">{when(claim.happenedAt)}</p>
                </div>
                <p>{claim.text}</p>
                {claim.refundedAmount !== null && (
                  <p>
                    <b>{t('claim.refunded')}</b> <Amount minor={claim.refundedAmount} currency={claim.currency} />
                  </p>
                )}
                {claim.answer && (
                  <p>
                    <b>{t('claim.answer')}</b> {claim.answer}
                  </p>
                )}
              </Card>
            ))
          )
        }
      </Answer>
    </Page>
  )
}
