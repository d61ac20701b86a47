import { useTranslation } from 'react-i18next'
import { medias } from '#contract/cashless/media.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { DetailScreen } from '#portal/ui/page/DetailScreen.tsx'
import { useRecord } from '#portal/ui/page/useRecord.ts'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { MediaActions } from './MediaActions.tsx'
import { MediaCredit, MediaSubtitle } from './MediaFacts.tsx'
import { mediaLooks } from './mediaLooks.ts'

const page = '/customers-medias/medias/$mediaId'
const tabs = {
  mediaStatement: page,
  mediaTransactions: `${page}/transactions`,
  refunds: `${page}/refunds`,
  mediaReservations: `${page}/reservations`,
  mediaFindings: `${page}/findings`,
} as const

/** A key, card or app account: its credit, and tabs of what happened to it. */
export default function MediaScreen() {
  const { t } = useTranslation('shell')
  const format = useFormat()
  const answer = useRecord(medias.getMedia, 'mediaId')
  const media = answer.data
  return (
    <DetailScreen
      query={answer}
      merchantId={media?.merchantId}
      title={media?.serial}
      aside={media && <StatusBadge of={mediaLooks} value={media.status as 0 | 1 | 2} />}
      subtitle={media && <MediaSubtitle media={media} />}
      actions={media && <MediaActions media={media} />}
      banner={media && <MediaCredit media={media} />}
      tabs={Object.entries(tabs).map(([tab, to]) => ({
        to,
        name: t(`screens.${tab}`),
        ...(tab === 'mediaFindings' && media && { count: format.number(media.openFindings) }),
      }))}
    />
  )
}
