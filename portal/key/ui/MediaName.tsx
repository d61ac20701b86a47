import { useTranslation } from 'react-i18next'
import type { OwnMedia } from '#contract/key-portal/customer-media.ts'
import { appWallet } from '../app/wallet.ts'

/** A medium in a choice. There is one wallet, so its number would only be noise. */
export function MediaName({ media: { type, serial } }: { media: OwnMedia }) {
  const { t } = useTranslation('key-app')
  return type === appWallet ? (
    t('media.wallet')
  ) : (
    <>
      {t('media.key')} <span className="serial">{serial}</span>
    </>
  )
}
