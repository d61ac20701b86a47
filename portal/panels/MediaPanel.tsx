import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { medias } from '#contract/cashless/media.ts'
import { transactions } from '#contract/sales/transaction.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { queryOf } from '#portal/app/api.ts'
import { RecordMerchant } from '#portal/app/merchant.tsx'
import { useMay } from '#portal/app/session/useMay.ts'
import { MediaActions } from '#portal/features/cashless/media/MediaActions.tsx'
import { MediaCredit, MediaSubtitle } from '#portal/features/cashless/media/MediaFacts.tsx'
import { mediaLooks } from '#portal/features/cashless/media/mediaLooks.ts'
import { PanelFrame } from '#portal/ui/panel/PanelFrame.tsx'
import { panelAnswer } from '#portal/ui/panel/panelAnswer.ts'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { LastSales } from './LastSales.tsx'

/** A key, card or app account beside the screen: its credit, and what it paid last. */
export default function MediaPanel({ id }: { id: string }) {
  const answer = useQuery(queryOf(medias.getMedia, { params: { merchantId: allMerchants, mediaId: id } }))
  const maySeeSales = useMay(transactions.listTransactions)
  const { record: media, failure } = panelAnswer(answer)
  return (
    <RecordMerchant id={media?.merchantId}>
      <PanelFrame
        title={media?.serial}
        badges={media && <StatusBadge of={mediaLooks} value={media.status as 0 | 1 | 2} />}
        actions={media && <MediaActions key={media.id} media={media} />}
        {...failure}
      >
        {media && (
          <>
            <Text c="dimmed">
              <MediaSubtitle media={media} />
            </Text>
            <MediaCredit media={media} />
            {maySeeSales && (
              <LastSales
                mediaId={media.id}
                place={{ to: '/customers-medias/medias/$mediaId/transactions', params: { mediaId: media.id } }}
              />
            )}
          </>
        )}
      </PanelFrame>
    </RecordMerchant>
  )
}
