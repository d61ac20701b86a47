import { IconExternalLink } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { customerMedias } from '#contract/key-portal/customer-media.ts'
import { customerRecharges } from '#contract/key-portal/customer-recharge.ts'
import { currencies } from '#contract/vocabulary/world/currencies.ts'
import { readAmount } from '#domain/money/amount-text.ts'
import { newId } from '#portal/app/uuid.ts'
import { useAnswer, useCommand } from '../app/api.ts'
import { rechargeChoices } from '../app/rechargeChoices.ts'
import { usePortal } from '../app/usePortal.ts'
import { mediaStatus } from '../app/wallet.ts'
import { Answer, Fault } from '../ui/Failure.tsx'
import { MediaName } from '../ui/MediaName.tsx'
import { NeedsMedia } from '../ui/NeedsMedia.tsx'
import { Page } from '../ui/Page.tsx'
import { Button, ButtonLink, Choices, Empty, Field } from '../ui/parts.tsx'
import { Amount } from '../ui/values.tsx'

const ownAmount = 'own'

/** Chooses what to recharge, the amount and the service; the provider's page takes the payment. */
export function RechargeScreen() {
  const { t } = useTranslation('key-app')
  const medias = useAnswer(customerMedias.listOwnMedias)
  const services = useAnswer(customerRecharges.listOwnRechargeServices)
  return (
    <Page title={t('recharge.title')}>
      <Answer answer={medias} isDated={false}>
        {({ items }) => {
          const usable = items.filter(({ status }) => status === mediaStatus.ok)
          return (
            <Answer answer={services} isDated={false}>
              {(offered) =>
                offered.length === 0 ? (
                  <Empty title={t('recharge.noService')}>
                    <ButtonLink to="/contacts">{t('contacts.title')}</ButtonLink>
                  </Empty>
                ) : usable.length === 0 ? (
                  <NeedsMedia text={t('recharge.noMedia')} />
                ) : (
                  <Form medias={usable} services={offered} />
                )
              }
            </Answer>
          )
        }}
      </Answer>
    </Page>
  )
}

type Medias = NonNullable<(typeof customerMedias.listOwnMedias)['types']>['result']['items']
type Services = NonNullable<(typeof customerRecharges.listOwnRechargeServices)['types']>['result']

function Form({ medias, services }: { medias: Medias; services: Services }) {
  const { t } = useTranslation('key-app')
  const currency = usePortal().data?.currency ?? 'EUR'
  const [mediaId, setMedia] = useState(medias[0]?.id ?? '')
  const [serviceId, setService] = useState(services[0]?.serviceId ?? '')
  const [choice, setChoice] = useState(String(rechargeChoices[currency][1]))
  const [text, setText] = useState('')
  // The same id until the order exists: a repeated click is the same order.
  const [id] = useState(() => newId())
  const start = useCommand(customerRecharges.startOwnRecharge, {
    onDone: ({ link }) => {
      if (link) window.location.assign(link)
    },
  })
  const amount =
    choice === ownAmount ? readAmount(text, currency) : Number(choice) * 10 ** currencies[currency].storageDigits
  const isUnread = amount === undefined || amount <= 0
  const [isTried, setTried] = useState(false)
  const send = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!isUnread) start.mutate({ body: { id, serviceId, mediaId, amount, currency } })
  }
  return (
    <form onSubmit={send} noValidate>
      {medias.length > 1 && (
        <Choices
          label={t('recharge.media')}
          value={mediaId}
          onChange={setMedia}
          values={medias.map((media) => ({ value: media.id, label: <MediaName media={media} /> }))}
        />
      )}
      <Choices
        label={t('recharge.amount')}
        isInline
        value={choice}
        onChange={setChoice}
        values={[
          ...rechargeChoices[currency].map((units) => ({
            value: String(units),
            label: <Amount minor={units * 10 ** currencies[currency].storageDigits} currency={currency} />,
          })),
          { value: ownAmount, label: t('recharge.own') },
        ]}
      />
      {choice === ownAmount && (
        <Field
          label={t('recharge.ownAmount', { symbol: currencies[currency].symbol })}
          inputMode="decimal"
          autoComplete="off"
          value={text}
          error={isTried && isUnread ? t('recharge.unread') : undefined}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      <Choices
        label={t('recharge.service')}
        value={serviceId}
        onChange={setService}
        values={services.map((one) => ({ value: one.serviceId, label: one.serviceName }))}
      />
      <Fault error={start.error} />
      <div className="sticky">
        <Button type="submit" isBusy={start.isPending || start.isSuccess} icon={<IconExternalLink aria-hidden />}>
          {isUnread ? (
            t('recharge.send')
          ) : (
            <>
              {t('recharge.send')} <Amount minor={amount} currency={currency} />
            </>
          )}
        </Button>
        <p className="hint">{t('recharge.hint')}</p>
      </div>
    </form>
  )
}
