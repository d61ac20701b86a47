import { IconBuildingStore, IconCup, IconMapPin, IconMessageReport } from '@tabler/icons-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useSearch } from 'wouter'
import { customerMedias, type OwnMedia } from '#contract/key-portal/customer-media.ts'
import { customerPayments } from '#contract/key-portal/customer-payment.ts'
import { type MachinePage, machinePages, type OfferedProduct } from '#contract/key-portal/machine-page.ts'
import { currencies } from '#contract/vocabulary/world/currencies.ts'
import { readAmount } from '#domain/money/amount-text.ts'
import { newId } from '#portal/app/uuid.ts'
import { rememberNext } from '../app/afterSignIn.ts'
import { useAnswer, useCommand } from '../app/api.ts'
import { slug } from '../app/place.ts'
import { useSession } from '../app/session.ts'
import { mediaStatus } from '../app/wallet.ts'
import { Answer, Fault } from '../ui/Failure.tsx'
import { MediaName } from '../ui/MediaName.tsx'
import { NeedsMedia } from '../ui/NeedsMedia.tsx'
import { Page } from '../ui/Page.tsx'
import { Badge, Button, ButtonLink, Card, Choices, Field, Notice } from '../ui/parts.tsx'
import { Amount } from '../ui/values.tsx'

/** A machine: what it sells, and paying at it. Visitors without an account see it too. */
export function MachineScreen({ code }: { code: string }) {
  const { t } = useTranslation('key-app')
  const machine = useAnswer(machinePages.getMachinePage, { params: { code } })
  const [, go] = useLocation()
  // In the address, so that a sign-in and a reload keep the choice.
  const selection = new URLSearchParams(useSearch()).get('selection')
  const choose = (product: OfferedProduct) => go(pathOf(code, product), { replace: true })
  const isIn = useSession() !== 'out'
  return (
    <Page title={t('machine.title')} back="/pay">
      <Answer answer={machine}>
        {(page) => {
          const selectedProduct = page.products.find((product) => product.selection === selection)
          return (
            <>
              <Card className="place">
                <IconBuildingStore aria-hidden />
                <div>
                  <strong>{page.name}</strong>
                  {page.address && (
                    <small>
                      <IconMapPin aria-hidden />
                      {page.address}
                    </small>
                  )}
                  <Badge tone={page.isOnline ? 'ok' : 'mute'}>
                    {page.isOnline ? t('machine.online') : t('machine.offline')}
                  </Badge>
                </div>
              </Card>
              {page.slug !== slug && <Notice tone="info">{t('machine.other', { name: page.merchantName })}</Notice>}
              {page.products.length > 0 && (
                <section>
                  <h2>{t('machine.products')}</h2>
                  <Products page={page} selectedProduct={selectedProduct} onChoose={choose} />
                </section>
              )}
              {selectedProduct && <About product={selectedProduct} />}
              {page.slug === slug &&
                page.takesAppPayments &&
                (isIn ? (
                  <PayForm key={selectedProduct?.selection} page={page} product={selectedProduct} />
                ) : (
                  <Card className="centred">
                    <p>{t('machine.signIn')}</p>
                    <div className="acts">
                      <ReturnPoint path={pathOf(code, selectedProduct)}>
                        <ButtonLink to="/sign-in">{t('welcome.signIn')}</ButtonLink>
                        <ButtonLink to="/sign-up" look="outline">
                          {t('welcome.signUp')}
                        </ButtonLink>
                      </ReturnPoint>
                    </div>
                  </Card>
                ))}
              {page.slug === slug && <ClaimLink product={selectedProduct} page={page} isIn={isIn} />}
              {page.slug === slug && !page.takesAppPayments && <Notice tone="info">{t('machine.noPayments')}</Notice>}
            </>
          )
        }}
      </Answer>
    </Page>
  )
}

const pathOf = (code: string, product: OfferedProduct | undefined) =>
  product ? `/m/${code}?selection=${encodeURIComponent(product.selection)}` : `/m/${code}`

/** Leads to the claim, with what was chosen. */
function ClaimLink({ product, page, isIn }: { product: OfferedProduct | undefined; page: MachinePage; isIn: boolean }) {
  const { t } = useTranslation('key-app')
  const price = product && (product.cashlessPrice ?? product.price)
  const claimQuery = product ? `?selection=${encodeURIComponent(product.selection)}&amount=${price ?? 0}` : ''
  const path = `/m/${page.code}/claim${claimQuery}`
  return (
    <div className="acts" onClickCapture={isIn ? undefined : () => rememberNext(path)}>
      <ButtonLink to={isIn ? path : '/sign-in'} look="plain" icon={<IconMessageReport aria-hidden />}>
        {t('claim.title')}
      </ButtonLink>
      {!isIn && <p className="hint centre">{t('claim.signIn')}</p>}
    </div>
  )
}

/** After signing in, the customer returns here. */
const ReturnPoint = ({ path, children }: { path: string; children: ReactNode }) => (
  // biome-ignore lint/a11y: the links within are what is used.
  <div className="acts" onClickCapture={() => rememberNext(path)}>
    {children}
  </div>
)

function Products({
  page,
  selectedProduct,
  onChoose,
}: {
  page: MachinePage
  selectedProduct: OfferedProduct | undefined
  onChoose: (product: OfferedProduct) => void
}) {
  const { t } = useTranslation('key-app')
  return (
    <ul className="products">
      {page.products.map((product) => {
        const price = product.cashlessPrice ?? product.price
        return (
          <li key={product.selection}>
            <button
              type="button"
              className={product.isSoldOut ? 'product out' : 'product'}
              aria-pressed={selectedProduct?.selection === product.selection}
              onClick={() => onChoose(product)}
            >
              <span className="selection">{product.selection}</span>
              {product.thumbnail ? <img src={product.thumbnail} alt="" /> : <IconCup aria-hidden />}
              <strong>{product.name ?? t('machine.selection', { selection: product.selection })}</strong>
              <span>
                {product.isSoldOut
                  ? t('machine.soldOut')
                  : price !== null && <Amount minor={price} currency={page.currency} />}
              </span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}

function About({ product }: { product: OfferedProduct }) {
  const { t } = useTranslation('key-app')
  const { t: v } = useTranslation('vocabulary', { useSuspense: false })
  return (
    <Card aria-live="polite">
      <h2>{product.name ?? t('machine.selection', { selection: product.selection })}</h2>
      {product.description && <p>{product.description}</p>}
      <p>
        <b>{t('machine.allergens')}</b>{' '}
        {product.allergens.length === 0
          ? t('machine.noAllergens')
          : product.allergens.map((allergen) => v(`allergen.${allergen}`)).join(', ')}
      </p>
    </Card>
  )
}

function PayForm({ page, product }: { page: MachinePage; product: OfferedProduct | undefined }) {
  const medias = useAnswer(customerMedias.listOwnMedias)
  const { t } = useTranslation('key-app')
  return (
    <Answer answer={medias} isDated={false}>
      {({ items }) => {
        const usable = items.filter(({ status, currency }) => status === mediaStatus.ok && currency === page.currency)
        return usable.length === 0 ? (
          <NeedsMedia text={t('pay.noMedia')} />
        ) : (
          <Amounts page={page} product={product} medias={usable} />
        )
      }}
    </Answer>
  )
}

/** The price of the chosen product, or what may be spent at most. */
function Amounts({
  page,
  product,
  medias,
}: {
  page: MachinePage
  product: OfferedProduct | undefined
  medias: readonly OwnMedia[]
}) {
  const { t } = useTranslation('key-app')
  const [, go] = useLocation()
  const { code, currency } = page
  const [mediaId, setMedia] = useState(medias[0]?.id ?? '')
  const [text, setText] = useState('')
  const [isTried, setTried] = useState(false)
  const [id, setId] = useState(() => newId())
  const start = useCommand(customerPayments.startOwnPayment, {
    onDone: (payment) => go(`/payments/${payment.id}?code=${code}`),
  })
  const price = product && !product.isSoldOut ? (product.cashlessPrice ?? product.price) : null
  const amount = price ?? readAmount(text, currency)
  const isUnread = amount === undefined || amount <= 0
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setTried(true)
    if (isUnread) {
      event.currentTarget.querySelector<HTMLInputElement>('input[inputmode]')?.focus()
      return
    }
    start.mutate(
      { params: { code }, body: { id, mediaId, amount, currency } },
      // A refused payment was not created, so the next attempt is another one; a lost one keeps its id.
      { onError: (error) => error.status >= 400 && error.status < 500 && setId(newId()) },
    )
  }
  return (
    // Its button stays in view while products are chosen.
    <form onSubmit={send} noValidate className="through">
      <Choices
        label={t('pay.with')}
        value={mediaId}
        onChange={setMedia}
        values={medias.map((media) => ({
          value: media.id,
          isDisabled: price !== null && media.credit < price,
          label: (
            <>
              <MediaName media={media} />
              <b className="end">
                <Amount minor={media.credit} currency={currency} />
              </b>
            </>
          ),
        }))}
      />
      {price === null && (
        <Field
          label={t('pay.amount', { symbol: currencies[currency].symbol })}
          hint={t('pay.amountHint')}
          inputMode="decimal"
          autoComplete="off"
          value={text}
          error={isTried && isUnread ? t('recharge.unread') : undefined}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      <div className="sticky">
        <Fault error={start.error} />
        <Button type="submit" isBusy={start.isPending}>
          {isUnread ? (
            t('pay.send')
          ) : (
            <>
              {t('pay.send')} <Amount minor={amount} currency={currency} />
            </>
          )}
        </Button>
        <p className="hint">{t('pay.hint')}</p>
      </div>
    </form>
  )
}
