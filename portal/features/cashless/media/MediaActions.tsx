import { Button } from '@mantine/core'
import { IconCashBanknote, IconKey, IconLock, IconLockOpen, IconUser, IconWalletOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Media } from '#contract/cashless/media.ts'
import { mediaActs } from '#contract/cashless/media-acts.ts'
import { mediaStatuses } from '#contract/vocabulary/media.ts'
import { useCommand } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMay } from '#portal/app/session/useMay.ts'
import { useConfirm } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { RefundDialog } from '../refund/RefundDialog.tsx'
import { LostKeyDialog } from './LostKeyDialog.tsx'
import { OwnerDialog } from './OwnerDialog.tsx'

/** What staff does with a medium. A lost key has no actions besides its open reservations. */
export function MediaActions({ media }: { media: Media }) {
  const { t } = useTranslation('media')
  const format = useFormat()
  const { ask, dialog } = useConfirm()
  const [open, setOpen] = useState<'refund' | 'lostKey' | 'owner'>()
  const mayAssign = useMay(mediaActs.setMediaCustomer)
  const block = useCommand(mediaActs.blockMedia, { says: 'media:block.done' })
  const unblock = useCommand(mediaActs.unblockMedia, { says: 'media:unblock.done' })
  const release = useCommand(mediaActs.unblockMediaTokens, {
    says: ({ ended }) => ({ key: 'media:tokens.done', values: { count: ended } }),
  })
  const params = { merchantId: media.merchantId, mediaId: media.id }
  const name = media.serial
  const isLost = media.status === mediaStatuses.lostKey
  const asking = (words: 'block' | 'unblock' | 'tokens', act: () => Promise<unknown>) => () =>
    ask({
      title: t(`${words}.title`, { name }),
      consequence: t(`${words}.consequence`, { amount: format.money(media.reserved, media.currency) }),
      confirm: t(`${words}.do`),
      dismiss: { how: 'leave' },
      isDanger: words === 'block',
      act,
    })
  const close = () => setOpen(undefined)
  return (
    <>
      {media.reserved > 0 && (
        <Button
          variant="default"
          leftSection={<IconWalletOff size={15} aria-hidden />}
          onClick={asking('tokens', () => release.mutateAsync({ params }))}
        >
          {t('tokens.do')}
        </Button>
      )}
      {!isLost && mayAssign && (
        <Button variant="default" leftSection={<IconUser size={15} aria-hidden />} onClick={() => setOpen('owner')}>
          {t('owner.do')}
        </Button>
      )}
      {media.status === mediaStatuses.ok && (
        <Button
          variant="default"
          leftSection={<IconLock size={15} aria-hidden />}
          onClick={asking('block', () => block.mutateAsync({ params }))}
        >
          {t('block.do')}
        </Button>
      )}
      {media.status === mediaStatuses.blocked && (
        <Button
          variant="default"
          leftSection={<IconLockOpen size={15} aria-hidden />}
          onClick={asking('unblock', () => unblock.mutateAsync({ params }))}
        >
          {t('unblock.do')}
        </Button>
      )}
      {!isLost && (
        <Button variant="default" leftSection={<IconKey size={15} aria-hidden />} onClick={() => setOpen('lostKey')}>
          {t('lostKey.do')}
        </Button>
      )}
      {media.status === mediaStatuses.ok && (
        <Button leftSection={<IconCashBanknote size={15} aria-hidden />} onClick={() => setOpen('refund')}>
          {t('refund')}
        </Button>
      )}
      {dialog}
      {open === 'refund' && <RefundDialog media={media} close={close} />}
      {open === 'lostKey' && <LostKeyDialog media={media} close={close} />}
      {open === 'owner' && <OwnerDialog media={media} close={close} />}
    </>
  )
}
