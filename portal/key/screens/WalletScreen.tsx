import {
  IconChevronRight,
  IconCloud,
  IconHourglass,
  IconKey,
  IconPlus,
  IconQrcode,
  IconUser,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { customerMedias, type OwnMedia } from '#contract/key-portal/customer-media.ts'
import { customerProfiles } from '#contract/key-portal/customer-profile.ts'
import { useAnswer, useCommand } from '../app/api.ts'
import { usePortal } from '../app/usePortal.ts'
import { appWallet, mediaStatus, type Totals, totalsOf } from '../app/wallet.ts'
import { Brand } from '../ui/Brand.tsx'
import { Answer, Fault } from '../ui/Failure.tsx'
import { useTitle } from '../ui/Page.tsx'
import { Badge, Button, ButtonLink, Card, Row } from '../ui/parts.tsx'
import { Transactions } from '../ui/Transactions.tsx'
import { Amount, useWhen } from '../ui/values.tsx'

export function WalletScreen() {
  const { t } = useTranslation('key-app')
  const portal = usePortal().data
  const profile = useAnswer(customerProfiles.getOwnProfile)
  const medias = useAnswer(customerMedias.listOwnMedias)
  useTitle(portal?.name ?? '')
  if (!portal) return null
  return (
    <div className="page wallet wide">
      <header className="person">
        <Brand portal={portal} />
        <div>
          <h1>{portal.name}</h1>
          {profile.data && <p>{t('wallet.hello', { name: profile.data.name.split(' ')[0] })}</p>}
        </div>
        <Link to="/profile" className="round" aria-label={t('profile.title')}>
          <IconUser aria-hidden />
        </Link>
      </header>
      <Answer answer={medias} isDated={false}>
        {({ items, asOf }) =>
          items.length === 0 ? (
            <Beginning />
          ) : (
            <div className="columns">
              <div>
                {totalsOf(items).map((totals) => (
                  <CreditCard key={totals.currency} totals={totals} asOf={asOf} />
                ))}
                <div className="acts pair">
                  {portal.services.recharge && (
                    <ButtonLink to="/recharge" icon={<IconPlus aria-hidden />}>
                      {t('wallet.recharge')}
                    </ButtonLink>
                  )}
                  <ButtonLink to="/pay" look="outline" icon={<IconQrcode aria-hidden />}>
                    {t('wallet.pay')}
                  </ButtonLink>
                </div>
                {items.map((media) => (
                  <MediaFacts key={media.id} media={media} />
                ))}
                <p className="centre">
                  <Link to="/media">{t('wallet.lost')}</Link>
                </p>
              </div>
              <section>
                <header className="heading">
                  <h2>{t('activity.title')}</h2>
                  <Link to="/activity">{t('wallet.all')}</Link>
                </header>
                <Transactions size={5} />
              </section>
            </div>
          )
        }
      </Answer>
    </div>
  )
}

/** Credit in the cloud, apart from what is written on keys. */
function CreditCard({ totals, asOf }: { totals: Totals; asOf: string }) {
  const { t } = useTranslation('key-app')
  const when = useWhen()
  const { currency, credit, bonus, reserved } = totals
  return (
    <section className="credit" aria-label={t('wallet.cloud')}>
      <header>
        <span>
          <IconCloud aria-hidden />
          {t('wallet.cloud')}
        </span>
        <span>{t('asOf', { when: when(asOf) })}</span>
      </header>
      <p className="figure">
        <Amount minor={credit} currency={currency} />
      </p>
      <footer>
        <span>
          {bonus > 0 ? (
            <>
              {t('wallet.bonus')} <Amount minor={bonus} currency={currency} />
            </>
          ) : (
            t('wallet.everywhere')
          )}
        </span>
        {reserved > 0 && (
          <span>
            <IconHourglass aria-hidden />
            {t('wallet.reserved')} <Amount minor={reserved} currency={currency} />
          </span>
        )}
      </footer>
    </section>
  )
}

/** What a key or card has: the credit written on it, its free vends, and whether it is blocked. */
function MediaFacts({ media }: { media: OwnMedia }) {
  const { t } = useTranslation('key-app')
  const when = useWhen()
  const { keyCredit, keyCreditAt, currency, serial, bonusFreeSales, status, type } = media
  return (
    <>
      {type !== appWallet && (
        <Card className="list">
          <Row
            to="/media"
            icon={<IconKey aria-hidden />}
            title={t('wallet.onKey')}
            note={
              <>
                <span className="serial">{serial}</span>
                {keyCreditAt && <> · {t('asOf', { when: when(keyCreditAt) })}</>}
              </>
            }
            end={
              status === mediaStatus.ok ? (
                keyCredit === null ? (
                  <IconChevronRight aria-hidden />
                ) : (
                  <b>
                    <Amount minor={keyCredit} currency={currency} />
                  </b>
                )
              ) : (
                <Badge tone="crit">{t(status === mediaStatus.blocked ? 'media.blocked' : 'media.lost')}</Badge>
              )
            }
          />
        </Card>
      )}
      {bonusFreeSales > 0 && status === mediaStatus.ok && (
        <p className="free">{t('wallet.free', { count: bonusFreeSales })}</p>
      )}
    </>
  )
}

/** The first step of a new customer. */
function Beginning() {
  const { t } = useTranslation('key-app')
  const create = useCommand(customerMedias.createOwnWallet)
  return (
    <Card className="centred">
      <h2>{t('beginning.title')}</h2>
      <p>{t('beginning.text')}</p>
      <Fault error={create.error} />
      <div className="acts">
        <ButtonLink to="/media/link" icon={<IconKey aria-hidden />}>
          {t('beginning.link')}
        </ButtonLink>
        <Button look="outline" isBusy={create.isPending} onClick={() => create.mutate({})}>
          {t('beginning.wallet')}
        </Button>
      </div>
    </Card>
  )
}
