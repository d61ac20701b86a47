import { IconCircleCheck } from '@tabler/icons-react'
import { type FormEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearch } from 'wouter'
import { customerClaims } from '#contract/key-portal/customer-claim.ts'
import { customerMedias, type OwnMedia } from '#contract/key-portal/customer-media.ts'
import { type MachinePage, machinePages } from '#contract/key-portal/machine-page.ts'
import { currencies } from '#contract/vocabulary/world/currencies.ts'
import { readAmount, writeAmount } from '#domain/money/amount-text.ts'
import { wireInstant } from '#portal/app/i18n/format.ts'
import { newId } from '#portal/app/uuid.ts'
import { useAnswer, useCommand } from '../app/api.ts'
import { forgetTyped, keepTyped, typedIn } from '../app/typed.ts'
import { mediaStatus } from '../app/wallet.ts'
import { Answer, Fault, useFieldFault } from '../ui/Failure.tsx'
import { MediaName } from '../ui/MediaName.tsx'
import { NeedsMedia } from '../ui/NeedsMedia.tsx'
import { Page } from '../ui/Page.tsx'
import { Button, ButtonLink, Choices, Empty, Field, TextField } from '../ui/parts.tsx'

/** Reports that a machine kept the customer's money. */
export function ClaimScreen({ code }: { code: string }) {
  const { t } = useTranslation('key-app')
  const machine = useAnswer(machinePages.getMachinePage, { params: { code } })
  const medias = useAnswer(customerMedias.listOwnMedias)
  return (
    <Page title={t('claim.title')} back={`/m/${code}`}>
      <Answer answer={machine}>
        {(page) => (
          <Answer answer={medias} isDated={false}>
            {({ items }) => {
              const usable = items.filter(({ status }) => status === mediaStatus.ok)
              return usable.length === 0 ? (
                <NeedsMedia text={t('claim.noMedia')} />
              ) : (
                <Form page={page} medias={usable} />
              )
            }}
          </Answer>
        )}
      </Answer>
    </Page>
  )
}

const ways = ['media', 'cash'] as const

/** The present minute of the device's zone, which is the machine's, as an input for times writes it. */
function nowHere() {
  const now = new Date()
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** What the customer enters; typed text is kept over a sign-in until the claim is sent. */
function useClaimInput({ code, currency }: MachinePage, medias: readonly OwnMedia[], isSent: boolean) {
  const search = new URLSearchParams(useSearch())
  const form = `claim ${code}`
  const [typed] = useState(() =>
    typedIn(
      form,
      medias.map((media) => media.id),
    ),
  )
  const [paidBy, setPaidBy] = useState<(typeof ways)[number]>('media')
  const [mediaId, setMedia] = useState(typed.media ?? search.get('media') ?? medias[0]?.id ?? '')
  const [selection, setSelection] = useState(typed.selection ?? search.get('selection') ?? '')
  const [amount, setAmount] = useState(() => {
    const minor = Number(search.get('amount') ?? 0)
    if (typed.amount !== undefined) return typed.amount
    return minor > 0 ? writeAmount(minor, currency) : ''
  })
  const [at, setAt] = useState(typed.at ?? nowHere)
  const [text, setText] = useState(typed.text ?? '')
  useEffect(() => {
    if (isSent) forgetTyped()
    else if (text !== '') keepTyped(form, mediaId, { media: mediaId, selection, amount, at, text })
  }, [form, mediaId, selection, amount, at, text, isSent])
  return { paidBy, setPaidBy, mediaId, setMedia, selection, setSelection, amount, setAmount, at, setAt, text, setText }
}

function Form({ page, medias }: { page: MachinePage; medias: readonly OwnMedia[] }) {
  const { t } = useTranslation('key-app')
  const { code, currency, products, name } = page
  const [isTried, setTried] = useState(false)
  const [id] = useState(() => newId())
  const claim = useCommand(customerClaims.createOwnClaim)
  const input = useClaimInput(page, medias, claim.isSuccess)
  const { paidBy, mediaId, selection, amount, at, text } = input
  const faultOf = useFieldFault(claim.error)
  const minor = readAmount(amount, currency)
  const isUnread = minor === undefined || minor <= 0
  const happened = new Date(at)
  const send = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (isUnread || Number.isNaN(happened.getTime()) || text.trim() === '') return
    claim.mutate({
      params: { code },
      body: {
        id,
        paidBy,
        mediaId,
        amount: minor,
        currency,
        text,
        happenedAt: wireInstant(happened),
        selection: selection.trim() || null,
      },
    })
  }
  if (claim.isSuccess) return <ClaimSent number={claim.data.number} />
  return (
    <form onSubmit={send} noValidate>
      <p>{name}</p>
      <PaymentChoices medias={medias} input={input} />
      <Field
        label={t('claim.amount', { symbol: currencies[currency].symbol })}
        inputMode="decimal"
        autoComplete="off"
        required
        value={amount}
        error={isTried && isUnread ? t('recharge.unread') : faultOf('amount')}
        onChange={(event) => input.setAmount(event.currentTarget.value)}
      />
      <Field
        label={t('claim.selection')}
        autoComplete="off"
        list="selections"
        value={selection}
        error={faultOf('selection')}
        onChange={(event) => input.setSelection(event.currentTarget.value)}
      />
      <datalist id="selections">
        {products.map((product) => (
          <option key={product.selection} value={product.selection}>
            {product.name}
          </option>
        ))}
      </datalist>
      <Field
        label={t('claim.when')}
        type="datetime-local"
        required
        value={at}
        max={nowHere()}
        error={faultOf('happenedAt')}
        onChange={(event) => input.setAt(event.currentTarget.value)}
      />
      <TextField
        label={t('claim.text')}
        required
        maxLength={1000}
        value={text}
        error={isTried && text.trim() === '' ? t('claim.unsaid') : faultOf('text')}
        onChange={(event) => input.setText(event.currentTarget.value)}
      />
      <Fault error={claim.error} />
      <Button type="submit" isBusy={claim.isPending}>
        {t('claim.send')}
      </Button>
    </form>
  )
}

interface PaymentProps {
  medias: readonly OwnMedia[]
  input: ReturnType<typeof useClaimInput>
}

/** How the customer paid, and the key or card to refund. */
function PaymentChoices({ medias, input: { paidBy, setPaidBy, mediaId, setMedia } }: PaymentProps) {
  const { t } = useTranslation('key-app')
  return (
    <>
      <Choices
        label={t('claim.paidBy')}
        value={paidBy}
        onChange={setPaidBy}
        isInline
        values={[
          { value: 'media', label: t('media.key') },
          { value: 'cash', label: t('claim.cash') },
        ]}
      />
      {(medias.length > 1 || paidBy === 'cash') && (
        <Choices
          label={paidBy === 'cash' ? t('claim.refundTo') : t('media.key')}
          value={mediaId}
          onChange={setMedia}
          values={medias.map((media) => ({ value: media.id, label: <MediaName media={media} /> }))}
        />
      )}
    </>
  )
}

function ClaimSent({ number }: { number: number }) {
  const { t } = useTranslation('key-app')
  return (
    <Empty icon={<IconCircleCheck className="good" aria-hidden />} title={t('claim.sent')}>
      <p>{t('claim.number', { number })}</p>
      <p>{t('claim.sentText')}</p>
      <ButtonLink to="/claims">{t('claim.mine')}</ButtonLink>
    </Empty>
  )
}
