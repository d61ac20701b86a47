import { IconDeviceMobile, IconKey, IconLock, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { customerMedias, type OwnMedia } from '#contract/key-portal/customer-media.ts'
import { useAnswer, useCommand } from '../app/api.ts'
import { appWallet, mediaStatus } from '../app/wallet.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { Answer, Fault } from '../ui/Failure.tsx'
import { Page } from '../ui/Page.tsx'
import { Badge, Button, ButtonLink, Card, Notice } from '../ui/parts.tsx'
import { Amount, useWhen } from '../ui/values.tsx'

/** The customer's keys, cards and wallet; a lost one is blocked here. */
export function MediaScreen() {
  const { t } = useTranslation('key-app')
  const medias = useAnswer(customerMedias.listOwnMedias)
  const create = useCommand(customerMedias.createOwnWallet)
  return (
    <Page title={t('media.title')}>
      <Answer answer={medias}>
        {({ items }) => (
          <>
            {items.map((media) => (
              <Media key={media.id} media={media} />
            ))}
            <Fault error={create.error} />
            <div className="acts">
              <ButtonLink to="/media/link" icon={<IconPlus aria-hidden />}>
                {t('beginning.link')}
              </ButtonLink>
              {!items.some(({ type }) => type === appWallet) && (
                <Button look="outline" isBusy={create.isPending} onClick={() => create.mutate({})}>
                  {t('beginning.wallet')}
                </Button>
              )}
            </div>
          </>
        )}
      </Answer>
    </Page>
  )
}

function Media({ media }: { media: OwnMedia }) {
  const { t } = useTranslation('key-app')
  const { status, type } = media
  const isWallet = type === appWallet
  return (
    <Card>
      <header className="heading">
        <h2>
          {isWallet ? <IconDeviceMobile aria-hidden /> : <IconKey aria-hidden />}
          {isWallet ? t('media.wallet') : t('media.key')}
        </h2>
        {status === mediaStatus.ok ? (
          <Badge tone="ok">{t('media.ok')}</Badge>
        ) : (
          <Badge tone="crit" icon={<IconLock aria-hidden />}>
            {t(status === mediaStatus.blocked ? 'media.blocked' : 'media.lost')}
          </Badge>
        )}
      </header>
      <MediaFacts media={media} />
      {status === mediaStatus.blocked && <Notice tone="info">{t('media.blockedText')}</Notice>}
      {status === mediaStatus.lost && <Notice tone="info">{t('media.lostText')}</Notice>}
      {status === mediaStatus.ok && <MediaActs media={media} />}
    </Card>
  )
}

/** The credit of a key or card, and its last use. */
function MediaFacts({ media }: { media: OwnMedia }) {
  const { t } = useTranslation('key-app')
  const when = useWhen()
  const { serial, currency, cloudCredit, bonusCredit, reserved, bonusFreeSales } = media
  return (
    <dl>
      <Fact name={t('media.serial')}>
        <span className="serial">{serial}</span>
      </Fact>
      <Fact name={t('wallet.cloud')}>
        <Amount minor={cloudCredit} currency={currency} />
      </Fact>
      {bonusCredit > 0 && (
        <Fact name={t('wallet.bonus')}>
          <Amount minor={bonusCredit} currency={currency} />
        </Fact>
      )}
      {bonusFreeSales > 0 && <Fact name={t('media.freeSales')}>{bonusFreeSales}</Fact>}
      {reserved > 0 && (
        <Fact name={t('wallet.reserved')}>
          <Amount minor={reserved} currency={currency} />
        </Fact>
      )}
      {media.keyCredit !== null && (
        <Fact name={t('wallet.onKey')}>
          <Amount minor={media.keyCredit} currency={currency} />
          {media.keyCreditAt && <small>{t('asOf', { when: when(media.keyCreditAt) })}</small>}
        </Fact>
      )}
      {media.lastUsedAt && <Fact name={t('media.lastUsed')}>{when(media.lastUsedAt)}</Fact>}
    </dl>
  )
}

/** Blocks a key, or removes it from the customer, after a confirmation. */
function MediaActs({ media: { id, serial, type } }: { media: OwnMedia }) {
  const { t } = useTranslation('key-app')
  const [pendingAct, setPendingAct] = useState<'block' | 'unlink'>()
  const close = () => setPendingAct(undefined)
  const block = useCommand(customerMedias.blockOwnMedia, { onDone: close })
  const unlink = useCommand(customerMedias.unlinkOwnMedia, { onDone: close })
  const isWallet = type === appWallet
  const params = { mediaId: id }
  return (
    <>
      <div className="acts">
        <Button look="outline" icon={<IconLock aria-hidden />} onClick={() => setPendingAct('block')}>
          {isWallet ? t('media.blockWallet') : t('media.block')}
        </Button>
        {!isWallet && (
          <Button look="plain" onClick={() => setPendingAct('unlink')}>
            {t('media.unlink')}
          </Button>
        )}
      </div>
      {pendingAct === 'block' && (
        <Confirm
          title={t('media.blockTitle')}
          yes={isWallet ? t('media.blockWallet') : t('media.block')}
          no={t('media.keep')}
          isDanger
          isBusy={block.isPending}
          onYes={() => block.mutate({ params })}
          onNo={close}
        >
          <p>{t('media.blockAsk', { serial })}</p>
          <Fault error={block.error} />
        </Confirm>
      )}
      {pendingAct === 'unlink' && (
        <Confirm
          title={t('media.unlinkTitle')}
          yes={t('media.unlink')}
          no={t('media.keep')}
          isBusy={unlink.isPending}
          onYes={() => unlink.mutate({ params })}
          onNo={close}
        >
          <p>{t('media.unlinkAsk', { serial })}</p>
          <Fault error={unlink.error} />
        </Confirm>
      )}
    </>
  )
}

export const Fact = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
