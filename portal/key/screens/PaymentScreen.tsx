import { IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearch } from 'wouter'
import { appPaymentSeconds, customerPayments, type OwnPayment } from '#contract/key-portal/customer-payment.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { queryOf, useCommand } from '../app/api.ts'
import { holdUpdates } from '../app/updates.ts'
import { Answer, Fault } from '../ui/Failure.tsx'
import { Page } from '../ui/Page.tsx'
import { Button, ButtonLink, Card, Empty } from '../ui/parts.tsx'
import { Amount } from '../ui/values.tsx'

const isOver = ({ state }: OwnPayment) => state === 'vended' || state === 'failed'

/** A payment at a machine, from the hold to the vend. */
export function PaymentScreen({ id }: { id: string }) {
  const { t } = useTranslation('key-app')
  const client = useQueryClient()
  const payment = useQuery({
    ...queryOf(customerPayments.getOwnPayment, { params: { paymentId: id } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && isOver(state.data) ? false : 1_000),
  })
  const isDone = payment.data !== undefined && isOver(payment.data)
  useEffect(() => (isDone ? undefined : holdUpdates(`payment ${id}`)), [isDone, id])
  useEffect(() => {
    if (isDone) void client.invalidateQueries({ queryKey: ['own', '/customer/medias'] })
  }, [isDone, client])
  return (
    <Page title={t('payment.title')}>
      <Answer answer={payment}>
        {(one) => <div aria-live="polite">{isOver(one) ? <Result payment={one} /> : <Waiting payment={one} />}</div>}
      </Answer>
    </Page>
  )
}

function Waiting({ payment }: { payment: OwnPayment }) {
  const { t } = useTranslation('key-app')
  const { id, state, amount, currency, machineName } = payment
  const cancel = useCommand(customerPayments.cancelOwnPayment)
  const isTaken = state === 'accepted'
  return (
    <Card className="centred">
      <Countdown key={state} seconds={isTaken ? appPaymentSeconds.toVend : appPaymentSeconds.toTake} />
      <h2>{isTaken ? t('payment.choose') : t('payment.waiting')}</h2>
      <p>{isTaken ? t('payment.chooseText') : t('payment.waitingText', { name: machineName })}</p>
      <p className="figure">
        <Amount minor={amount} currency={currency} />
      </p>
      <Fault error={cancel.error} />
      {!isTaken && (
        <Button look="outline" isBusy={cancel.isPending} onClick={() => cancel.mutate({ params: { paymentId: id } })}>
          {t('payment.cancel')}
        </Button>
      )}
    </Card>
  )
}

/** Seconds that remain; the device's clock may differ from the server's, so it counts from the moment when the step was first seen. */
function Countdown({ seconds }: { seconds: number }) {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    const until = Date.now() + seconds * 1000
    const timer = setInterval(() => setLeft(Math.max(0, Math.round((until - Date.now()) / 1000))), 500)
    return () => clearInterval(timer)
  }, [seconds])
  const share = left / seconds
  const text = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
  return (
    <svg className="countdown" viewBox="0 0 64 64" role="timer" aria-live="off" aria-label={text}>
      <circle cx="32" cy="32" r="28" className="track" />
      <circle cx="32" cy="32" r="28" pathLength={1} strokeDasharray={`${share} 1`} transform="rotate(-90 32 32)" />
      <text x="32" y="37">
        {text}
      </text>
    </svg>
  )
}

function Result({ payment }: { payment: OwnPayment }) {
  const { t } = useTranslation('key-app')
  const { state, reason, settled, amount, currency, product } = payment
  const { money } = useFormat()
  // In the address, so that it survives a reload.
  const code = new URLSearchParams(useSearch()).get('code')
  return state === 'vended' ? (
    <Empty icon={<IconCircleCheck className="good" aria-hidden />} title={t('payment.vended')}>
      <p className="figure">
        <Amount minor={settled ?? amount} currency={currency} />
      </p>
      {product && <p>{product}</p>}
      <ButtonLink to="/">{t('recharge.home')}</ButtonLink>
    </Empty>
  ) : (
    <Empty icon={<IconCircleX className="bad" aria-hidden />} title={t('payment.failed')}>
      <p>{t(`payment.reason.${reason ?? 'notVended'}`)}</p>
      {settled ? (
        <>
          <p>{t('payment.charged', { amount: money(settled, currency) })}</p>
          <ButtonLink to={code ? `/m/${code}/claim?amount=${settled}` : '/claims'}>{t('claim.open')}</ButtonLink>
        </>
      ) : (
        <p>{t('payment.nothingTaken')}</p>
      )}
      <ButtonLink to="/">{t('recharge.home')}</ButtonLink>
    </Empty>
  )
}
