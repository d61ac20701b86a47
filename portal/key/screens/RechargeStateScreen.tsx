import { IconCircleCheck, IconCircleX, IconHourglass } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { customerRecharges, type OwnRecharge } from '#contract/key-portal/customer-recharge.ts'
import { queryOf, useAnswer } from '../app/api.ts'
import { Answer } from '../ui/Failure.tsx'
import { Page } from '../ui/Page.tsx'
import { ButtonLink, Card, Empty, Row } from '../ui/parts.tsx'
import { Amount, useWhen } from '../ui/values.tsx'

const states = ['waiting', 'done', 'failed'] as const
/** A paid recharge above a limit is no credit until the operator books it. */
function stateOf({ result, kept: booking }: OwnRecharge) {
  const state = states[result as 0 | 1 | 2] ?? 'waiting'
  if (state !== 'done' || booking === null || booking === 'booked') return state
  return booking === 'open' ? 'kept' : 'refused'
}
const icons = {
  waiting: <IconHourglass aria-hidden />,
  done: <IconCircleCheck className="good" aria-hidden />,
  failed: <IconCircleX className="bad" aria-hidden />,
  kept: <IconHourglass aria-hidden />,
  refused: <IconCircleX className="bad" aria-hidden />,
}

/** Where the payer returns to from the provider: the recharge is watched until the provider has confirmed it. */
export function RechargeStateScreen({ id }: { id: string }) {
  const { t } = useTranslation('key-app')
  const client = useQueryClient()
  const recharge = useQuery({
    ...queryOf(customerRecharges.getOwnRecharge, { params: { webPaymentOrderId: id } }),
    refetchInterval: ({ state }) => (state.data && stateOf(state.data) === 'waiting' ? 2_000 : false),
  })
  const state = recharge.data && stateOf(recharge.data)
  useEffect(() => {
    if (state === 'done') void client.invalidateQueries({ queryKey: ['own'] })
  }, [state, client])
  return (
    <Page title={t('recharge.title')}>
      <Answer answer={recharge}>
        {(one) => (
          <div aria-live="polite">
            <Empty icon={icons[stateOf(one)]} title={t(`recharge.state.${stateOf(one)}`)}>
              <p className="figure">
                <Amount minor={one.amount} currency={one.currency} />
              </p>
              <p>{t(`recharge.stateText.${stateOf(one)}`, { service: one.serviceName })}</p>
              {one.link && (
                <a className="button outline" href={one.link}>
                  {t('recharge.continue')}
                </a>
              )}
              <ButtonLink to="/">{t('recharge.home')}</ButtonLink>
            </Empty>
          </div>
        )}
      </Answer>
    </Page>
  )
}

/** The customer's recharges, newest first. */
export function Recharges() {
  const { t } = useTranslation('key-app')
  const when = useWhen()
  const recharges = useAnswer(customerRecharges.listOwnRecharges)
  return (
    <Answer answer={recharges} isDated={false}>
      {(items) =>
        items.length === 0 ? (
          <p className="hint">{t('recharge.none')}</p>
        ) : (
          <Card className="list">
            {items.map((one) => (
              <Row
                key={one.id}
                to={`/recharge/${one.id}`}
                icon={icons[stateOf(one)]}
                title={one.serviceName}
                note={
                  <>
                    {when(one.createdAt)} · {t(`recharge.state.${stateOf(one)}`)}
                  </>
                }
                end={
                  <span className={stateOf(one) === 'done' ? 'incoming' : undefined}>
                    <Amount minor={one.amount} currency={one.currency} isSigned={stateOf(one) === 'done'} />
                  </span>
                }
              />
            ))}
          </Card>
        )
      }
    </Answer>
  )
}
