import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { customerMedias } from '#contract/key-portal/customer-media.ts'
import { useAnswer } from '../app/api.ts'
import { usePortal } from '../app/usePortal.ts'
import { appWallet } from '../app/wallet.ts'
import { Page } from '../ui/Page.tsx'
import { Choices } from '../ui/parts.tsx'
import { Transactions } from '../ui/Transactions.tsx'
import { Recharges } from './RechargeStateScreen.tsx'

const size = 20

/** What the customer's media did at machines, and the recharges by web payments. */
export function ActivityScreen() {
  const { t } = useTranslation('key-app')
  const medias = useAnswer(customerMedias.listOwnMedias)
  const [mediaId, setMediaId] = useState('')
  const items = medias.data?.items ?? []
  const hasRecharges = usePortal().data?.services.recharge
  return (
    <Page title={t('activity.title')} isMain>
      {items.length > 1 && (
        <Choices
          label={t('activity.of')}
          isInline
          value={mediaId}
          onChange={setMediaId}
          values={[
            { value: '', label: t('activity.allMedia') },
            ...items.map(({ id, serial, type }) => ({
              value: id,
              label: type === appWallet ? t('media.wallet') : <span className="serial">{serial}</span>,
            })),
          ]}
        />
      )}
      <Transactions key={mediaId} mediaId={mediaId || undefined} size={size} isPaged />
      {hasRecharges && (
        <section>
          <h2>{t('recharge.mine')}</h2>
          <Recharges />
        </section>
      )}
    </Page>
  )
}
