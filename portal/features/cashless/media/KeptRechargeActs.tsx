import { Button, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { MediaFinding } from '#contract/cashless/media.ts'
import { mediaActs } from '#contract/cashless/media-acts.ts'
import { useCommand } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMay } from '#portal/app/session/useMay.ts'
import { useConfirm } from '#portal/ui/dialog/ConfirmDialog.tsx'

interface Props {
  finding: MediaFinding
  media: { merchantId: string; mediaId: string; serial: string }
}

/** Books or refuses a recharge that is above a limit. */
export function KeptRechargeActs({ finding, media }: Props) {
  const { t } = useTranslation('media')
  const format = useFormat()
  const { ask, dialog } = useConfirm()
  const { id: findingId, kept: recharge, currency } = finding
  const amount = format.money((finding.amount ?? 0) - (recharge?.reversed ?? 0), currency)
  const book = useCommand(mediaActs.bookKeptRecharge, {
    says: () => ({ key: 'media:kept.booked', values: { amount } }),
  })
  const refuse = useCommand(mediaActs.refuseKeptRecharge, { says: 'media:kept.refused' })
  const mayDecide = useMay(mediaActs.bookKeptRecharge)
  if (!recharge || recharge.state !== 'open') return null
  if (!mayDecide) return t('kept.state.open')
  const { merchantId, mediaId, serial } = media
  const call = { params: { merchantId, mediaId, findingId } }
  const words = { amount, serial }
  return (
    <Group gap={6} wrap="nowrap">
      <Button
        variant="default"
        size="xs"
        loading={book.isPending}
        onClick={() =>
          ask({
            title: t('kept.bookTitle', words),
            consequence: t('kept.bookText', words),
            confirm: t('kept.bookDo', words),
            dismiss: { how: 'leave' },
            act: () => book.mutateAsync(call),
          })
        }
      >
        {t('kept.book')}
      </Button>
      <Button
        variant="subtle"
        size="xs"
        loading={refuse.isPending}
        onClick={() =>
          ask({
            title: t('kept.refuseTitle', words),
            consequence: t(recharge.orderId ? 'kept.refuseOrder' : 'kept.refuseText', words),
            confirm: t('kept.refuseDo', words),
            dismiss: { how: 'leave' },
            act: () => refuse.mutateAsync(call),
          })
        }
      >
        {t('kept.refuse')}
      </Button>
      {dialog}
    </Group>
  )
}
